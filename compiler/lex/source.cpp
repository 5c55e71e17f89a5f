// SPDX-License-Identifier: Apache-2.0
#include "lex/source.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace bobbin::translate {
namespace {

// The text of a string literal as line markers have it.
std::string unquoted(std::string_view literal) {
  std::string plain;
  for (size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) ++i;
    plain += literal[i];
  }
  return plain;
}

}  // namespace

Source::Source(std::string text) : text_(std::move(text)) {
  if (text_.empty() || text_.back() != '\n') text_ += '\n';
  tokens_ = tokenize(text_, 0, text_.size(), HashLines::Recognize);
  for (size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
    line_ends_.push_back(at);
  }
  files_.emplace_back("<stdin>");
  stretches_.push_back({0, 1, 0, false});
  for (const Token& token : tokens_) {
    if (token.kind == TokenKind::HashLine) {
      read_marker(token);
      // Words of pragmas count, too.
      Lexer words(text_, token.begin, token.end, HashLines::Ignore);
      while (const std::optional<Token> word = words.next()) {
        if (word->kind == TokenKind::Identifier) add_identifier(*word);
      }
    } else if (token.kind == TokenKind::Identifier) {
      add_identifier(token);
    }
  }
}

void Source::add_identifier(const Token& token) {
  identifiers_.emplace((*this)(token));
  if (!stretches_.back().is_system) users_.emplace((*this)(token));
}

// `# 12 "file.c" 3` or `#line 12 "file.c"`.
void Source::read_marker(const Token& token) {
  Lexer words(text_, token.begin + 1, token.end, HashLines::Ignore);
  std::optional<Token> word = words.next();
  if (word && (*this)(*word) == "line") word = words.next();
  if (!word || word->kind != TokenKind::Number) return;
  size_t line = 0;
  std::from_chars(text_.data() + word->begin, text_.data() + word->end, line);
  size_t file = stretches_.back().file;
  word = words.next();
  if (word && word->kind == TokenKind::String) {
    const std::string name = unquoted((*this)(*word));
    const auto known = std::find(files_.begin(), files_.end(), name);
    file = static_cast<size_t>(known - files_.begin());
    if (known == files_.end()) files_.push_back(name);
  }
  bool is_system = false;
  for (; word; word = words.next()) {
    is_system = is_system || (*this)(*word) == "3";
    if ((*this)(*word) == "1") includers_.try_emplace(files_[file], token.begin);
  }
  stretches_.push_back({token.end + 1, line, file, is_system});
}

const Source::Stretch& Source::stretch_at(size_t offset) const {
  const auto after =
      std::upper_bound(stretches_.begin(), stretches_.end(), offset,
                       [](size_t wanted, const Stretch& one) { return wanted < one.offset; });
  return *std::prev(after);
}

Position Source::position(size_t offset) const {
  const Stretch& stretch = stretch_at(offset);
  const size_t line = lines_before(offset);
  const size_t line_start = line == 0 ? 0 : line_ends_[line - 1] + 1;
  return {files_[stretch.file], stretch.line + (line - lines_before(stretch.offset)),
          offset - line_start + 1};
}

size_t Source::lines_before(size_t offset) const {
  const auto end = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
  return static_cast<size_t>(end - line_ends_.begin());
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string Source::marker(size_t offset) const {
  const Position at = position(offset);
  return "\n# " + std::to_string(at.line) + " " + quoted(at.file) + "\n";
}

std::optional<size_t> Source::includer(const std::string& file) const {
  const auto found = includers_.find(file);
  if (found == includers_.end()) return std::nullopt;
  return found->second;
}

bool Source::in_system_header(size_t offset) const { return stretch_at(offset).is_system; }

}  // namespace bobbin::translate
