// SPDX-License-Identifier: Apache-2.0
#include "files/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstring>

namespace bobbin::cli {
namespace {

Elf_Scn* find_section(Elf* elf, GElf_Word type, GElf_Shdr* header) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    if (gelf_getshdr(section, header) != nullptr && header->sh_type == type) return section;
  }
  return nullptr;
}

std::string string_at(Elf* elf, size_t table, size_t offset) {
  const char* text = elf_strptr(elf, table, offset);
  return text != nullptr ? text : "";
}

size_t entry_count(const GElf_Shdr& header) {
  return header.sh_entsize != 0 ? header.sh_size / header.sh_entsize : 0;
}

}  // namespace

void ElfFile::ElfCloser::operator()(Elf* elf) const { elf_end(elf); }

ElfFile::FileCloser::~FileCloser() { ::close(fd); }

std::optional<ElfFile> ElfFile::open(const std::filesystem::path& path) {
  if (elf_version(EV_CURRENT) == EV_NONE) return std::nullopt;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  ElfFile file;
  file.path_ = path;
  file.file_ = std::make_unique<FileCloser>(fd);
  file.elf_.reset(elf_begin(fd, ELF_C_READ_MMAP, nullptr));
  if (file.elf_ == nullptr || elf_kind(file.elf_.get()) != ELF_K_ELF || !file.read_headers()) {
    return std::nullopt;
  }
  file.read_dynamic_section();
  return file;
}

bool ElfFile::is_executable_type() const { return type_ == ET_EXEC || type_ == ET_DYN; }

bool ElfFile::is_shared_library() const {
  return type_ == ET_DYN && has_dynamic_ && !has_interpreter_ && !is_pie_;
}

bool ElfFile::read_headers() {
  GElf_Ehdr header;
  if (gelf_getehdr(elf_.get(), &header) == nullptr) return false;
  class_ = gelf_getclass(elf_.get());
  machine_ = header.e_machine;
  type_ = header.e_type;
  size_t count = 0;
  if (elf_getphdrnum(elf_.get(), &count) != 0) return false;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr program_header;
    if (gelf_getphdr(elf_.get(), static_cast<int>(i), &program_header) == nullptr) continue;
    if (program_header.p_type == PT_INTERP) has_interpreter_ = true;
    if (program_header.p_type == PT_DYNAMIC) has_dynamic_ = true;
  }
  return true;
}

void ElfFile::read_dynamic_section() {
  GElf_Shdr header;
  Elf_Scn* section = find_section(elf_.get(), SHT_DYNAMIC, &header);
  Elf_Data* data = section != nullptr ? elf_getdata(section, nullptr) : nullptr;
  if (data == nullptr) return;
  for (size_t i = 0; i < entry_count(header); ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr || entry.d_tag == DT_NULL) break;
    const auto text = [&] { return string_at(elf_.get(), header.sh_link, entry.d_un.d_val); };
    switch (entry.d_tag) {
      case DT_NEEDED:
        needed_.push_back(text());
        break;
      case DT_SONAME:
        soname_ = text();
        break;
      case DT_RPATH:
        rpath_ = text();
        break;
      case DT_RUNPATH:
        runpath_ = text();
        break;
      case DT_FLAGS_1:
        is_pie_ = (entry.d_un.d_val & DF_1_PIE) != 0;
        break;
      default:
        break;
    }
  }
}

// Indexed like .gnu.version: by vna_other for versions that are needed, by vd_ndx for those that
// are defined.
std::vector<std::string> ElfFile::version_names() const {
  std::vector<std::string> names;
  const auto set = [&names](size_t index, std::string name) {
    index &= 0x7fff;
    if (names.size() <= index) names.resize(index + 1);
    names[index] = std::move(name);
  };
  Elf* elf = elf_.get();
  GElf_Shdr header;
  if (Elf_Scn* section = find_section(elf, SHT_GNU_verneed, &header)) {
    Elf_Data* data = elf_getdata(section, nullptr);
    int offset = 0;
    for (size_t file = 0; data != nullptr && file < header.sh_info; ++file) {
      GElf_Verneed need;
      if (gelf_getverneed(data, offset, &need) == nullptr) break;
      int aux_offset = offset + static_cast<int>(need.vn_aux);
      for (int i = 0; i < need.vn_cnt; ++i) {
        GElf_Vernaux aux;
        if (gelf_getvernaux(data, aux_offset, &aux) == nullptr) break;
        set(aux.vna_other, string_at(elf, header.sh_link, aux.vna_name));
        aux_offset += static_cast<int>(aux.vna_next);
      }
      offset += static_cast<int>(need.vn_next);
    }
  }
  if (Elf_Scn* section = find_section(elf, SHT_GNU_verdef, &header)) {
    Elf_Data* data = elf_getdata(section, nullptr);
    int offset = 0;
    for (size_t node = 0; data != nullptr && node < header.sh_info; ++node) {
      GElf_Verdef definition;
      GElf_Verdaux aux;
      if (gelf_getverdef(data, offset, &definition) == nullptr) break;
      if ((definition.vd_flags & VER_FLG_BASE) == 0 &&
          gelf_getverdaux(data, offset + static_cast<int>(definition.vd_aux), &aux) != nullptr) {
        set(definition.vd_ndx, string_at(elf, header.sh_link, aux.vda_name));
      }
      offset += static_cast<int>(definition.vd_next);
    }
  }
  return names;
}

std::vector<DynamicSymbol> ElfFile::dynamic_symbols() const {
  std::vector<DynamicSymbol> symbols;
  Elf* elf = elf_.get();
  GElf_Shdr header;
  Elf_Scn* section = find_section(elf, SHT_DYNSYM, &header);
  Elf_Data* data = section != nullptr ? elf_getdata(section, nullptr) : nullptr;
  if (data == nullptr) return symbols;
  const std::vector<std::string> versions = version_names();
  GElf_Shdr versym_header;
  Elf_Scn* versym_section = find_section(elf, SHT_GNU_versym, &versym_header);
  Elf_Data* versym = versym_section != nullptr ? elf_getdata(versym_section, nullptr) : nullptr;
  const size_t count = entry_count(header);
  symbols.reserve(count);
  for (size_t i = 1; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
    DynamicSymbol entry;
    entry.name = string_at(elf, header.sh_link, symbol.st_name);
    entry.defined = symbol.st_shndx != SHN_UNDEF;
    entry.weak = GELF_ST_BIND(symbol.st_info) == STB_WEAK;
    GElf_Versym index = 0;
    if (versym != nullptr && gelf_getversym(versym, static_cast<int>(i), &index) != nullptr) {
      index &= 0x7fff;
      if (index < versions.size()) entry.version = versions[index];
    }
    symbols.push_back(std::move(entry));
  }
  return symbols;
}

bool ElfFile::defines_in_any_table(std::string_view name) const {
  Elf* elf = elf_.get();
  for (const GElf_Word type : {SHT_SYMTAB, SHT_DYNSYM}) {
    GElf_Shdr header;
    Elf_Scn* section = find_section(elf, type, &header);
    if (section == nullptr) continue;
    // The search in the string table comes first, because memmem is fast.
    Elf_Scn* strings_section = elf_getscn(elf, header.sh_link);
    Elf_Data* strings =
        strings_section != nullptr ? elf_rawdata(strings_section, nullptr) : nullptr;
    const std::string terminated = std::string(name) + '\0';
    if (strings == nullptr || strings->d_buf == nullptr ||
        memmem(strings->d_buf, strings->d_size, terminated.data(), terminated.size()) == nullptr) {
      continue;
    }
    Elf_Data* data = elf_getdata(section, nullptr);
    for (size_t i = 1; data != nullptr && i < entry_count(header); ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      if (symbol.st_shndx == SHN_UNDEF) continue;
      const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (text != nullptr && name == text) return true;
    }
  }
  return false;
}

bool ElfFile::contains_constant(std::string_view bytes) const {
  GElf_Shdr header;
  for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section != nullptr;
       section = elf_nextscn(elf_.get(), section)) {
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) continue;
    if ((header.sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) != SHF_ALLOC) continue;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data != nullptr && data->d_buf != nullptr &&
        memmem(data->d_buf, data->d_size, bytes.data(), bytes.size()) != nullptr) {
      return true;
    }
  }
  return false;
}

std::string describe_architecture(int elf_class, int machine) {
  std::string text = elf_class == ELFCLASS64 ? "64-bit " : "32-bit ";
  switch (machine) {
    case EM_X86_64:
      return text + "x86-64";
    case EM_386:
      return text + "x86";
    case EM_AARCH64:
      return text + "Arm (AArch64)";
    case EM_ARM:
      return text + "Arm";
    case EM_RISCV:
      return text + "RISC-V";
    case EM_PPC64:
      return text + "POWER";
    default:
      return text + "(ELF machine " + std::to_string(machine) + ")";
  }
}

int native_elf_class() { return sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32; }

int native_machine() {
#if defined(__x86_64__)
  return EM_X86_64;
#elif defined(__aarch64__)
  return EM_AARCH64;
#elif defined(__riscv)
  return EM_RISCV;
#else
#error "Which ELF machine is this?"
#endif
}

}  // namespace bobbin::cli
