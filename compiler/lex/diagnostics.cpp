// SPDX-License-Identifier: Apache-2.0
#include "lex/diagnostics.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace bobbin::translate {
namespace {

constexpr size_t kLongestShown = 400;
constexpr size_t kMostErrors = 20;

// The lines of the user's file from `line` on, as far as a backslash continues them.
std::vector<std::string> logical_line(const Position& at) {
  std::vector<std::string> lines;
  std::ifstream file(at.file);
  std::string text;
  for (size_t number = 1; std::getline(file, text); ++number) {
    if (number < at.line) continue;
    lines.push_back(text);
    if (!text.ends_with('\\')) break;
  }
  return lines;
}

const Token* hash_line_at(const Source& source, size_t offset) {
  const auto& tokens = source.tokens();
  const auto after =
      std::upper_bound(tokens.begin(), tokens.end(), offset,
                       [](size_t wanted, const Token& one) { return wanted < one.begin; });
  if (after == tokens.begin()) return nullptr;
  const Token& token = *std::prev(after);
  return token.kind == TokenKind::HashLine && offset < token.end ? &token : nullptr;
}

// The preprocessor writes pragmas anew, so that columns, and lines after a backslash, are lost: the
// word is looked up in the user's file, as the same occurrence after the word `omp`.
void find_in_file(const Source& source, size_t offset, Position& at,
                  std::vector<std::string>& lines) {
  const Token* pragma = hash_line_at(source, offset);
  if (pragma == nullptr) return;
  const std::optional<Token> wanted =
      Lexer(source.text(), offset, pragma->end, HashLines::Ignore).next();
  if (!wanted) return;
  const std::string_view word = source(*wanted);
  size_t occurrence = 0;
  Lexer before(source.text(), pragma->begin, offset, HashLines::Ignore);
  while (const std::optional<Token> one = before.next()) {
    if (source(*one) == word) ++occurrence;
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    Lexer words(lines[i], 0, lines[i].size(), HashLines::Ignore);
    while (const std::optional<Token> one = words.next()) {
      if (one->in(lines[i]) != word || occurrence-- != 0) continue;
      at.line += i;
      at.column = one->begin + 1;
      lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
  // It comes from a macro, or the pragma is one.
  const size_t first = lines.empty() ? 0 : lines[0].find_first_not_of(" \t");
  at.column = first == std::string::npos ? 1 : first + 1;
}

}  // namespace

void Diagnostics::error(size_t offset, std::string message) {
  errors_.push_back({offset, std::move(message)});
}

void Diagnostics::print() {
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const Refusal& a, const Refusal& b) { return a.offset < b.offset; });
  size_t shown = 0;
  for (const Refusal& one : errors_) {
    if (++shown > kMostErrors) break;
    Position at = source_.position(one.offset);
    std::vector<std::string> lines = logical_line(at);
    find_in_file(source_, one.offset, at, lines);
    std::fprintf(stderr, "%s:%zu:%zu: error: %s\n", at.file.c_str(), at.line, at.column,
                 one.message.c_str());
    if (lines.empty() || lines[0].size() > kLongestShown ||
        lines[0].find('\0') != std::string::npos)
      continue;
    std::string caret;
    for (size_t i = 0; i + 1 < at.column && i < lines[0].size(); ++i) {
      caret += lines[0][i] == '\t' ? '\t' : ' ';
    }
    std::fprintf(stderr, " %s\n %s^\n", lines[0].c_str(), caret.c_str());
  }
  std::fprintf(stderr, "%zu error%s generated.\n", errors_.size(), errors_.size() == 1 ? "" : "s");
}

}  // namespace bobbin::translate
