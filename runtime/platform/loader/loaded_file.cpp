// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/loaded_file.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>

#include "platform/loader/loader.h"

namespace bobbin {
namespace {

struct Search {
  uintptr_t address;
  const void* base = nullptr;
};

int look_at(dl_phdr_info* info, size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  uintptr_t first = UINTPTR_MAX;
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (begin < first) first = begin;
    if (search.address - begin < segment.p_memsz) holds = true;
  }
  if (!holds) return 0;
  search.base = reinterpret_cast<const void*>(first & ~uintptr_t{4095});
  return 1;
}

}  // namespace

const void* base_of_file_with(const void* address) {
  Search search{reinterpret_cast<uintptr_t>(address)};
  const AskingLoader asking;
  dl_iterate_phdr(look_at, &search);
  return search.base;
}

const void* base_of_file_defining(const char* name) {
  const void* symbol = dlsym(RTLD_DEFAULT, name);
  return symbol != nullptr ? base_of_file_with(symbol) : nullptr;
}

}  // namespace bobbin
