// SPDX-License-Identifier: Apache-2.0
// The user's files, and where in them stands what the preprocessed text has.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lex/source.h"

namespace bobbin::translate {

struct UsersFile {
  std::string text;
  std::vector<std::string_view> lines;
};

// A word in a user's file. Lines and columns count from 1.
struct UsersPlace {
  std::string file;
  size_t line = 1;
  size_t column = 1;
  size_t length = 1;
};

// A word that came from a macro: where the macro was called, and the word in its definition.
struct Expansion {
  std::string macro;
  UsersPlace definition;
};

class UsersText {
 public:
  explicit UsersText(const Source& source) : source_(source) {}

  // Of a file that cannot be read, as standard input, the lines that the preprocessed text has.
  const UsersFile& file(const std::string& name);

  // The preprocessor writes pragmas anew and expands macros, so columns, and lines after a
  // backslash, are lost: the word is looked up in the line, as the same occurrence of it.
  UsersPlace place_of(size_t offset, std::optional<Expansion>& expansion);

 private:
  // The lines from one on, as far as a backslash continues them.
  std::vector<std::string_view> logical_line(const std::string& name, size_t line);
  std::optional<UsersPlace> find(const UsersPlace& from, std::string_view word, size_t occurrence);
  std::optional<UsersPlace> find_macro(const UsersPlace& from, std::string_view preprocessed,
                                       std::string_view word, std::optional<Expansion>& expansion);
  std::optional<UsersPlace> definition_of(std::string_view macro);

  const Source& source_;
  std::map<std::string, UsersFile> files_;
};

}  // namespace bobbin::translate
