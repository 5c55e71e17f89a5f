// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gelf.h>

#include <filesystem>
#include <string_view>

namespace bobbin::insight {

// An ELF file that is open for reading.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  Elf* elf() const { return elf_; }  // nullptr: it is none
  // The content of the section of this name, as long as the file is open; empty: there is none.
  std::string_view section(std::string_view name) const;

 private:
  int file_;
  Elf* elf_ = nullptr;
};

}  // namespace bobbin::insight
