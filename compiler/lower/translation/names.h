// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "lex/source.h"

namespace bobbin::translate {

// Names that do not stand in the user's text anywhere. In blocks they may hide those of system
// headers, which no directive stands in.
class Names {
 public:
  explicit Names(const Source& source) : source_(source) {}

  // The same each time: for variables of blocks that contain no other use of it.
  std::string free(const std::string& wanted) const {
    std::string name = wanted;
    for (int number = 2; source_.user_names(name); ++number) {
      name = wanted + "_" + std::to_string(number);
    }
    return name;
  }

  // Another one each time: for functions and types of the file.
  std::string unique(const std::string& wanted) {
    std::string name = free(wanted);
    size_t& number = numbers_.try_emplace(wanted, 2).first->second;
    while (source_.has_identifier(name) || !given_.insert(name).second) {
      name = free(wanted + "_" + std::to_string(number++));
    }
    return name;
  }

 private:
  const Source& source_;
  std::unordered_set<std::string> given_;
  // The number to try next: all smaller ones are taken.
  std::unordered_map<std::string, size_t> numbers_;
};

}  // namespace bobbin::translate
