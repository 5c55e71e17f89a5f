// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/loaded_version.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "platform/loader/loader.h"

namespace bobbin {
namespace {

// The loader has replaced the values in the file by addresses, except in the kernel's own object.
const char* address_in(const dl_phdr_info& info, ElfW(Addr) value) {
  return reinterpret_cast<const char*>(value < info.dlpi_addr ? value + info.dlpi_addr : value);
}

bool defines_version(const dl_phdr_info& info, const char* name) {
  const ElfW(Dyn)* entry = nullptr;
  for (unsigned i = 0; i < info.dlpi_phnum; i++) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + segment.p_vaddr);
  }
  const char* names = nullptr;
  const char* definition = nullptr;
  for (; entry != nullptr && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) names = address_in(info, entry->d_un.d_ptr);
    if (entry->d_tag == DT_VERDEF) definition = address_in(info, entry->d_un.d_ptr);
  }
  if (names == nullptr || definition == nullptr) return false;
  for (;;) {
    const auto& version = *reinterpret_cast<const ElfW(Verdef)*>(definition);
    const auto& own_name = *reinterpret_cast<const ElfW(Verdaux)*>(definition + version.vd_aux);
    if (std::strcmp(names + own_name.vda_name, name) == 0) return true;
    if (version.vd_next == 0) return false;
    definition += version.vd_next;
  }
}

struct Search {
  const char* name;
  unsigned long long missing_at;
  unsigned long long changes = 0;
  bool found = false;

  // True ends the search.
  bool look(const dl_phdr_info& info) {
    changes = info.dlpi_adds + info.dlpi_subs;
    return changes == missing_at || (found = defines_version(info, name));
  }
};

}  // namespace

bool LoadedVersion::loaded() {
  Search search{.name = name_, .missing_at = missing_at_.load(relaxed)};
  {
    AskingLoader asking;
    dl_iterate_phdr([](dl_phdr_info* info, std::size_t,
                       void* self) { return static_cast<Search*>(self)->look(*info) ? 1 : 0; },
                    &search);
  }
  if (!search.found) missing_at_.store(search.changes, relaxed);
  return search.found;
}

}  // namespace bobbin
