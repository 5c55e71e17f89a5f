// SPDX-License-Identifier: Apache-2.0
#include "fiber/context/executable_stacks.h"

#include <link.h>

#include "fiber/context/stack.h"
#include "platform/loader/loader.h"

namespace bobbin {
namespace {

int wants_executable_stacks(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_GNU_STACK) return (header.p_flags & PF_X) != 0 ? 1 : 0;
  }
  return 0;
}

bool any_wants_executable_stacks() {
  AskingLoader asking;
  return dl_iterate_phdr(wants_executable_stacks, nullptr) != 0;
}

}  // namespace

void heed_executable_stacks() {
  if (any_wants_executable_stacks()) make_stacks_executable();
}

}  // namespace bobbin
