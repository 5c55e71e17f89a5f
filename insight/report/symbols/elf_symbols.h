// SPDX-License-Identifier: Apache-2.0
// The functions of an ELF file, by the addresses in it, and its variables by their names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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
  // All names of the function that begins there.
  std::vector<std::string> names_at(uint64_t begin) const;
  bool begins_function(uint64_t address) const;
  // Where the function that contains the address begins; 0: none does.
  uint64_t begin_of_function(uint64_t address) const;
  // How far the variable lies after the begin of the mapping; 0: there is none of that name.
  uint64_t offset_of_object(const std::string& name) const;
  uint64_t size_of_object(const std::string& name) const;  // in bytes; 0: there is none

 private:
  struct Function {
    uint64_t begin;
    uint64_t end;
    std::string name;
  };

  struct Object {
    uint64_t offset = 0;
    uint64_t size = 0;
  };

  const Function* find(uint64_t address) const;

  uint64_t lowest_ = 0;              // the address of the first mapping
  std::vector<Function> functions_;  // by address
  std::map<std::string, Object> objects_;
};

}  // namespace bobbin::insight
