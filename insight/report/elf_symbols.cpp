// SPDX-License-Identifier: Apache-2.0
#include "insight/report/elf_symbols.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace bobbin::insight {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

uint64_t lowest_address(Elf* elf) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return 0;
  constexpr uint64_t kPage = 4096;
  uint64_t lowest = UINT64_MAX;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) continue;
    if (segment.p_type == PT_LOAD) lowest = std::min(lowest, segment.p_vaddr / kPage * kPage);
  }
  return lowest == UINT64_MAX ? 0 : lowest;
}

}  // namespace

ElfSymbols::ElfSymbols(const std::filesystem::path& path) {
  if (elf_version(EV_CURRENT) == EV_NONE) return;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  Elf* elf = elf_begin(file, ELF_C_READ_MMAP, nullptr);
  if (elf != nullptr && elf_kind(elf) == ELF_K_ELF) {
    lowest_ = lowest_address(elf);
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) continue;
      if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
      for (int i = 0; data != nullptr && i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) == nullptr) break;
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name == nullptr) continue;
        functions_.push_back({symbol.st_value, symbol.st_value + symbol.st_size, name});
      }
    }
  }
  elf_end(elf);
  close(file);
  std::sort(functions_.begin(), functions_.end(),
            [](const Function& a, const Function& b) { return a.begin < b.begin; });
}

std::string ElfSymbols::function_at(uint64_t address) const {
  auto next = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](uint64_t wanted, const Function& function) { return wanted < function.begin; });
  if (next == functions_.begin()) return {};
  const Function& function = *--next;
  return address < function.end ? demangled(function.name.c_str()) : "";
}

}  // namespace bobbin::insight
