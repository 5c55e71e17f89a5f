// SPDX-License-Identifier: Apache-2.0
// The functions of an ELF file, by the addresses in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bobbin::insight {

class ElfSymbols {
 public:
  explicit ElfSymbols(const std::filesystem::path& path);

  // The file's own address of what lies so many bytes after the begin of its mapping.
  uint64_t address_of(uint64_t offset) const { return offset + lowest_; }
  // The function that contains the address; empty: none does.
  std::string function_at(uint64_t address) const;
  bool begins_function(uint64_t address) const;

 private:
  struct Function {
    uint64_t begin;
    uint64_t end;
    std::string name;
  };

  const Function* find(uint64_t address) const;

  uint64_t lowest_ = 0;              // the address of the first mapping
  std::vector<Function> functions_;  // by address
};

}  // namespace bobbin::insight
