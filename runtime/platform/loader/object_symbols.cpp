// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/object_symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>

#include "platform/loader/loader.h"
#include "platform/small_file.h"

namespace bobbin {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

// A file's contents, mapped.
class FileImage {
 public:
  FileImage() = default;
  ~FileImage() {
    if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), size_);
  }
  FileImage(const FileImage&) = delete;
  FileImage& operator=(const FileImage&) = delete;

  // Called once.
  void map(const char* path) {
    const FileDescriptor file(path);
    struct stat status;
    if (!file.valid() || fstat(file.number(), &status) != 0 || status.st_size <= 0) return;
    size_ = static_cast<std::size_t>(status.st_size);
    void* mapping = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (mapping != MAP_FAILED) bytes_ = static_cast<const char*>(mapping);
  }

  // Null if the file does not reach that far.
  template <class T>
  const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (bytes_ == nullptr || offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(bytes_ + offset);
  }

 private:
  const char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

// Calls visit(symbol, name) for the data objects of a file until it returns true.
template <class Visit>
bool visit_objects(const FileImage& file, Visit&& visit) {
  const auto* header = file.at<Header>(0);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto* sections = file.at<Section>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return false;
  for (unsigned i = 0; i < header->e_shnum; i++) {
    const Section& table = sections[i];
    if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
    if (table.sh_link >= header->e_shnum) continue;
    const Section& text = sections[table.sh_link];
    const auto* names = file.at<char>(text.sh_offset, text.sh_size);
    const auto count = table.sh_size / sizeof(Symbol);
    const auto* symbols = file.at<Symbol>(table.sh_offset, count);
    // Each name ends with a zero, and the last one ends the string table.
    if (names == nullptr || symbols == nullptr || text.sh_size == 0) continue;
    if (names[text.sh_size - 1] != '\0') continue;
    for (std::size_t s = 0; s < count; s++) {
      const Symbol& symbol = symbols[s];
      if ((symbol.st_info & 0xf) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) continue;
      if (symbol.st_name < text.sh_size && visit(symbol, names + symbol.st_name)) return true;
    }
  }
  return false;
}

// The loaded file that holds `address`; null: the program itself.
class LoadedFile {
 public:
  explicit LoadedFile(const void* address) : address_(address) {
    AskingLoader asking;
    dl_iterate_phdr([](dl_phdr_info* info, std::size_t,
                       void* self) { return static_cast<LoadedFile*>(self)->look(*info) ? 1 : 0; },
                    this);
  }

  const FileImage& image() const { return image_; }
  std::uintptr_t bias() const { return bias_; }

 private:
  // True ends the search. Maps the file immediately, because as soon as the loader's lock is free
  // the file may be unloaded and its name freed.
  bool look(const dl_phdr_info& info) {
    if (address_ != nullptr && !holds_address(info)) return false;
    // The program comes first and has no name.
    image_.map(info.dlpi_name[0] != '\0' ? info.dlpi_name : "/proc/self/exe");
    bias_ = info.dlpi_addr;
    return true;
  }

  bool holds_address(const dl_phdr_info& info) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(address_) - info.dlpi_addr;
    for (unsigned i = 0; i < info.dlpi_phnum; i++) {
      const auto& segment = info.dlpi_phdr[i];
      if (segment.p_type == PT_LOAD && offset - segment.p_vaddr < segment.p_memsz) return true;
    }
    return false;
  }

  const void* address_;
  FileImage image_;
  std::uintptr_t bias_ = 0;
};

void* find_in(const LoadedFile& file, const char* name) {
  void* found = nullptr;
  visit_objects(file.image(), [&](const Symbol& symbol, const char* symbol_name) {
    if (std::strcmp(symbol_name, name) != 0) return false;
    found = reinterpret_cast<void*>(file.bias() + symbol.st_value);
    return true;
  });
  return found;
}

}  // namespace

bool object_name(const void* address, char* name, std::size_t size) {
  const LoadedFile file(address);
  const auto value = reinterpret_cast<std::uintptr_t>(address) - file.bias();
  return visit_objects(file.image(), [&](const Symbol& symbol, const char* symbol_name) {
    if (symbol.st_value != value || symbol_name[0] == '\0') return false;
    const std::size_t length = std::strlen(symbol_name);
    const std::size_t copied = length < size ? length : size - 1;
    std::memcpy(name, symbol_name, copied);
    name[copied] = '\0';
    return true;
  });
}

void* find_object(const char* name, const void* near) {
  if (void* found = dlsym(RTLD_DEFAULT, name)) return found;
  if (void* found = find_in(LoadedFile(near), name)) return found;
  return find_in(LoadedFile(nullptr), name);
}

}  // namespace bobbin
