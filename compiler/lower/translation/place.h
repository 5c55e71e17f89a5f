// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace bobbin::translate {

// Where a variable lies: under a name, which may be that of a member, or where a pointer leads.
class Place {
 public:
  static Place named(std::string name) { return {std::move(name), false}; }
  static Place behind(std::string pointer) { return {std::move(pointer), true}; }

  // For each surrounding: `x`, `(*x)`.
  std::string text() const { return is_behind_ ? "(*" + name_ + ")" : name_; }
  std::string address() const { return is_behind_ ? name_ : "&" + name_; }
  bool is_behind(std::string_view pointer) const { return is_behind_ && name_ == pointer; }

  // Adds it to a text of the user's, of which `rest` follows.
  void append_to(std::string& text, std::string_view rest) const;

 private:
  Place(std::string name, bool is_behind) : name_(std::move(name)), is_behind_(is_behind) {}

  std::string name_;
  bool is_behind_;
};

}  // namespace bobbin::translate
