// SPDX-License-Identifier: Apache-2.0
#include "insight/report/symbols/elf_symbols.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "insight/report/symbols/elf_file.h"

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
  const ElfFile file(path);
  Elf* elf = file.elf();
  if (elf == nullptr) return;
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
      if (symbol.st_shndx == SHN_UNDEF) continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name == nullptr) continue;
      const auto type = GELF_ST_TYPE(symbol.st_info);
      if (type == STT_OBJECT)
        objects_.try_emplace(name, Object{symbol.st_value - lowest_, symbol.st_size});
      if (type != STT_FUNC) continue;
      functions_.push_back({symbol.st_value, symbol.st_value + symbol.st_size, name});
    }
  }
  std::sort(functions_.begin(), functions_.end(),
            [](const Function& a, const Function& b) { return a.begin < b.begin; });
}

const ElfSymbols::Function* ElfSymbols::find(uint64_t address) const {
  auto next = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](uint64_t wanted, const Function& function) { return wanted < function.begin; });
  if (next == functions_.begin()) return nullptr;
  const Function& function = *--next;
  return address < function.end ? &function : nullptr;
}

std::string ElfSymbols::function_at(uint64_t address) const {
  const Function* function = find(address);
  return function != nullptr ? demangled(function->name.c_str()) : "";
}

std::vector<std::string> ElfSymbols::names_at(uint64_t begin) const {
  std::vector<std::string> names;
  auto next = std::lower_bound(
      functions_.begin(), functions_.end(), begin,
      [](const Function& function, uint64_t wanted) { return function.begin < wanted; });
  for (; next != functions_.end() && next->begin == begin; ++next) names.push_back(next->name);
  return names;
}

bool ElfSymbols::begins_function(uint64_t address) const {
  const uint64_t begin = begin_of_function(address);
  return begin != 0 && begin == address;
}

uint64_t ElfSymbols::begin_of_function(uint64_t address) const {
  const Function* function = find(address);
  return function != nullptr ? function->begin : 0;
}

uint64_t ElfSymbols::offset_of_object(const std::string& name) const {
  const auto found = objects_.find(name);
  return found != objects_.end() ? found->second.offset : 0;
}

uint64_t ElfSymbols::size_of_object(const std::string& name) const {
  const auto found = objects_.find(name);
  return found != objects_.end() ? found->second.size : 0;
}

}  // namespace bobbin::insight
