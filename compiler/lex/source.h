// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lex/token.h"

namespace bobbin::translate {

// Where something stands in the user's file.
struct Position {
  std::string file;
  size_t line = 0;
  size_t column = 0;
};

// A string literal.
std::string quoted(const std::string& text);

// A preprocessed text. Its line markers tell where in the user's files everything stood.
class Source {
 public:
  explicit Source(std::string text);

  const std::string& text() const { return text_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  std::string_view operator()(const Token& token) const { return token.in(text_); }

  Position position(size_t offset) const;
  bool in_system_header(size_t offset) const;
  const std::vector<std::string>& files() const { return files_; }
  // Where a line includes the file, for the first time.
  std::optional<size_t> includer(const std::string& file) const;
  // A line marker: the lines that follow belong to the one where `offset` is.
  std::string marker(size_t offset) const;

  bool has_identifier(const std::string& name) const { return identifiers_.contains(name); }
  // Outside of system headers.
  bool user_names(const std::string& name) const { return users_.contains(name); }

 private:
  // Lines from `offset` on, the first of which is `line` of the file.
  struct Stretch {
    size_t offset;
    size_t line;
    size_t file;
    bool is_system;
  };

  void read_marker(const Token& token);
  void add_identifier(const Token& token);
  const Stretch& stretch_at(size_t offset) const;
  size_t lines_before(size_t offset) const;

  std::string text_;
  std::vector<Token> tokens_;
  std::vector<size_t> line_ends_;
  std::vector<std::string> files_;
  std::vector<Stretch> stretches_;
  std::map<std::string, size_t> includers_;
  std::unordered_set<std::string> identifiers_;
  std::unordered_set<std::string> users_;
};

}  // namespace bobbin::translate
