// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/own_code.h"

#include <link.h>

// The beginning of this library, defined by the linker.
extern "C" [[gnu::visibility("hidden")]] const ElfW(Ehdr) __ehdr_start;

namespace bobbin {

bool in_own_code(uintptr_t pc) {
  const auto base = reinterpret_cast<uintptr_t>(&__ehdr_start);
  const auto* header = reinterpret_cast<const ElfW(Phdr)*>(base + __ehdr_start.e_phoff);
  for (unsigned i = 0; i < __ehdr_start.e_phnum; i++) {
    const ElfW(Phdr)& part = header[i];
    if (part.p_type == PT_LOAD && pc - base - part.p_vaddr < part.p_memsz) return true;
  }
  return false;
}

}  // namespace bobbin
