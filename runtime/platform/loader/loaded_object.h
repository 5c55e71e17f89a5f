// SPDX-License-Identifier: Apache-2.0
//
// What the loader knows about an object, read from the object's dynamic section. Calls nothing, so
// that it can be used before the runtime's calls of the C library are known to arrive there.
#pragma once

#include <link.h>

#include <cstdint>
#include <cstring>

namespace bobbin {

class LoadedObject {
 public:
  LoadedObject(ElfW(Addr) base, const ElfW(Dyn) * dynamic) : base_(base) {
    for (; dynamic->d_tag != DT_NULL; dynamic++) take(dynamic->d_tag, dynamic->d_un.d_ptr);
  }

  // Is the address in the object that is loaded at `base` and, as all shared objects, begins with
  // its header?
  static bool holds(ElfW(Addr) base, ElfW(Addr) address) {
    const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(base);
    const auto* segments = reinterpret_cast<const ElfW(Phdr)*>(base + header.e_phoff);
    for (unsigned i = 0; i < header.e_phnum; i++) {
      const ElfW(Phdr)& segment = segments[i];
      if (segment.p_type == PT_LOAD && address - base - segment.p_vaddr < segment.p_memsz) {
        return true;
      }
    }
    return false;
  }

  // The address of the function of that name and version. An indirect function is not found,
  // because it has no address until the loader chooses one. `version` null: of any version. 0: not
  // found.
  ElfW(Addr) function(const char* name, const char* version) const {
    if (hash_ == nullptr) return 0;
    const uint32_t buckets = hash_[0];
    const uint32_t first = hash_[1];
    const auto* chosen = hash_ + 4 + hash_[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const auto* chain = chosen + buckets;
    const uint32_t hash = hash_of(name);
    uint32_t symbol = buckets == 0 ? 0 : chosen[hash % buckets];
    if (symbol < first) return 0;
    for (;; symbol++) {
      const uint32_t entry = chain[symbol - first];
      if (((entry ^ hash) >> 1) == 0 && is_function(symbol, name, version)) {
        return base_ + symbols_[symbol].st_value;
      }
      if ((entry & 1) != 0) return 0;  // the bucket's last one
    }
  }

  // Calls visit(file, version's index, version's name) for each version that the object needs.
  template <class Visit>
  void needed_versions(Visit&& visit) const {
    for (const char* file = needed_; file != nullptr;) {
      const auto& need = *reinterpret_cast<const ElfW(Verneed)*>(file);
      const char* version = file + need.vn_aux;
      for (unsigned i = 0; i < need.vn_cnt; i++) {
        const auto& one = *reinterpret_cast<const ElfW(Vernaux)*>(version);
        visit(names_ + need.vn_file, one.vna_other & kVersion, names_ + one.vna_name);
        version += one.vna_next;
      }
      file = need.vn_next != 0 ? file + need.vn_next : nullptr;
    }
  }

  // Calls visit(relocation, symbol's name, index of its version) for each relocation that refers to
  // a function of another object. A variable may lie in the program, by a copy relocation.
  template <class Visit>
  void imports(Visit&& visit) const {
    if (symbols_ == nullptr || versions_ == nullptr) return;
    for (const Table& table : {data_, calls_}) {
      for (size_t i = 0; i < table.bytes / sizeof(ElfW(Rela)); i++) {
        const ElfW(Rela)& relocation = table.first[i];
        const auto symbol = ELF64_R_SYM(relocation.r_info);
        if (symbol == 0 || symbols_[symbol].st_shndx != SHN_UNDEF) continue;
        if (ELF64_ST_TYPE(symbols_[symbol].st_info) == STT_OBJECT) continue;
        visit(relocation, names_ + symbols_[symbol].st_name, versions_[symbol] & kVersion);
      }
    }
  }

  ElfW(Addr) base() const { return base_; }

 private:
  static constexpr unsigned kVersion = 0x7fff;  // without the mark of a hidden version

  struct Table {
    const ElfW(Rela) * first = nullptr;
    size_t bytes = 0;
  };

  // The loader has replaced the values in the file by addresses, except in a section that is not
  // writable.
  template <class T>
  const T* at(ElfW(Addr) value) const {
    return reinterpret_cast<const T*>(value < base_ ? value + base_ : value);
  }

  void take(ElfW(Sxword) tag, ElfW(Addr) value) {
    switch (tag) {
      case DT_STRTAB:
        names_ = at<char>(value);
        break;
      case DT_SYMTAB:
        symbols_ = at<ElfW(Sym)>(value);
        break;
      case DT_GNU_HASH:
        hash_ = at<uint32_t>(value);
        break;
      case DT_VERSYM:
        versions_ = at<ElfW(Half)>(value);
        break;
      case DT_VERDEF:
        defined_ = at<char>(value);
        break;
      case DT_VERNEED:
        needed_ = at<char>(value);
        break;
      case DT_RELA:
        data_.first = at<ElfW(Rela)>(value);
        break;
      case DT_RELASZ:
        data_.bytes = value;
        break;
      case DT_JMPREL:
        calls_.first = at<ElfW(Rela)>(value);
        break;
      case DT_PLTRELSZ:
        calls_.bytes = value;
        break;
      default:
        break;
    }
  }

  static uint32_t hash_of(const char* name) {
    uint32_t hash = 5381;
    for (; *name != '\0'; name++) hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
  }

  bool is_function(uint32_t symbol, const char* name, const char* version) const {
    const ElfW(Sym)& candidate = symbols_[symbol];
    return candidate.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(candidate.st_info) == STT_FUNC &&
           std::strcmp(names_ + candidate.st_name, name) == 0 &&
           (version == nullptr || has_version(symbol, version));
  }

  bool has_version(uint32_t symbol, const char* version) const {
    if (versions_ == nullptr) return false;
    for (const char* place = defined_; place != nullptr;) {
      const auto& definition = *reinterpret_cast<const ElfW(Verdef)*>(place);
      const auto& name = *reinterpret_cast<const ElfW(Verdaux)*>(place + definition.vd_aux);
      if ((definition.vd_ndx & kVersion) == (versions_[symbol] & kVersion)) {
        return std::strcmp(names_ + name.vda_name, version) == 0;
      }
      place = definition.vd_next != 0 ? place + definition.vd_next : nullptr;
    }
    return false;
  }

  ElfW(Addr) base_;
  const char* names_ = nullptr;
  const ElfW(Sym) * symbols_ = nullptr;
  const uint32_t* hash_ = nullptr;  // DT_GNU_HASH, which every glibc's objects have
  const ElfW(Half) * versions_ = nullptr;
  const char* defined_ = nullptr;
  const char* needed_ = nullptr;
  Table data_, calls_;
};

}  // namespace bobbin
