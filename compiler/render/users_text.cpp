// SPDX-License-Identifier: Apache-2.0
#include "render/users_text.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace bobbin::translate {
namespace {

constexpr size_t kMostSkipped = 100'000;  // lines that the preprocessor has left out

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_name(const Token& token) { return token.kind == TokenKind::Identifier; }

std::vector<Token> words_of(std::string_view line) {
  return tokenize(line, 0, line.size(), HashLines::Ignore);
}

bool has_word(std::string_view line, std::string_view word) {
  const std::vector<Token> words = words_of(line);
  return std::any_of(words.begin(), words.end(),
                     [&](const Token& one) { return one.in(line) == word; });
}

std::string preprocessed_lines(const Source& source, const std::string& name) {
  const std::vector<std::string_view> all = lines_of(source.text());
  std::vector<std::string> lines;
  for (const std::string_view line : all) {
    const Position at = source.position(static_cast<size_t>(line.data() - source.text().data()));
    // A line marker may claim any number.
    if (at.file != name || line.starts_with("# ") || at.line > all.size() + kMostSkipped) continue;
    if (lines.size() < at.line) lines.resize(at.line);
    if (!line.empty()) lines[at.line - 1] = line;
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

}  // namespace

const UsersFile& UsersText::file(const std::string& name) {
  const auto [found, is_new] = files_.try_emplace(name);
  UsersFile& file = found->second;
  if (!is_new) return file;
  if (std::ifstream stream(name); stream) {
    file.text.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  } else {
    file.text = preprocessed_lines(source_, name);
  }
  file.lines = lines_of(file.text);
  return file;
}

std::vector<std::string_view> UsersText::logical_line(const std::string& name, size_t line) {
  const std::vector<std::string_view>& lines = file(name).lines;
  std::vector<std::string_view> found;
  for (size_t i = line - 1; i < lines.size(); ++i) {
    found.push_back(lines[i]);
    if (!lines[i].ends_with('\\')) break;
  }
  return found;
}

std::optional<UsersPlace> UsersText::find(const UsersPlace& from, std::string_view word,
                                          size_t occurrence) {
  const std::vector<std::string_view> lines = logical_line(from.file, from.line);
  for (size_t i = 0; i < lines.size(); ++i) {
    for (const Token& one : words_of(lines[i])) {
      if (i == 0 && one.begin + 1 < from.column) continue;
      if (one.in(lines[i]) != word || occurrence-- != 0) continue;
      return UsersPlace{from.file, from.line + i, one.begin + 1, word.size()};
    }
  }
  return std::nullopt;
}

std::optional<UsersPlace> UsersText::definition_of(std::string_view macro) {
  for (const std::string& name : source_.files()) {
    const std::vector<std::string_view>& lines = file(name).lines;
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::vector<Token> words = words_of(lines[i]);
      if (words.size() < 3 || words[0].in(lines[i]) != "#" || words[1].in(lines[i]) != "define" ||
          words[2].in(lines[i]) != macro) {
        continue;
      }
      return UsersPlace{name, i + 1, words[2].end + 1, macro.size()};
    }
  }
  return std::nullopt;
}

// The first name in the user's line that the preprocessed one lacks, and whose definition has the
// word.
std::optional<UsersPlace> UsersText::find_macro(const UsersPlace& from,
                                                std::string_view preprocessed,
                                                std::string_view word,
                                                std::optional<Expansion>& expansion) {
  const std::vector<std::string_view> lines = logical_line(from.file, from.line);
  for (size_t i = 0; i < lines.size(); ++i) {
    for (const Token& one : words_of(lines[i])) {
      const std::string_view name = one.in(lines[i]);
      if (!is_name(one) || has_word(preprocessed, name)) continue;
      const std::optional<UsersPlace> definition = definition_of(name);
      if (!definition) continue;
      if (const std::optional<UsersPlace> inner = find(*definition, word, 0)) {
        expansion = Expansion{std::string(name), *inner};
      }
      return UsersPlace{from.file, from.line + i, one.begin + 1, name.size()};
    }
  }
  return std::nullopt;
}

UsersPlace UsersText::place_of(size_t offset, std::optional<Expansion>& expansion) {
  const Position at = source_.position(offset);
  const std::string_view text = source_.text();
  const size_t begin = offset - (at.column - 1);
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  const std::optional<Token> wanted =
      Lexer(text, std::min(offset, begin + line.size()), begin + line.size(), HashLines::Ignore)
          .next();
  const UsersPlace whole{at.file, at.line, 1, 1};
  const std::vector<std::string_view> users = logical_line(at.file, at.line);
  const std::string_view first = users.empty() ? std::string_view() : users.front();
  if (wanted) {
    const std::string_view word = wanted->in(text);
    if (first == line) return {at.file, at.line, wanted->begin - begin + 1, word.size()};
    size_t occurrence = 0;
    for (const Token& one : tokenize(text, begin, wanted->begin, HashLines::Ignore)) {
      if (one.in(text) == word) ++occurrence;
    }
    if (const std::optional<UsersPlace> found = find(whole, word, occurrence)) return *found;
    if (const std::optional<UsersPlace> found = find_macro(whole, line, word, expansion))
      return *found;
  }
  const size_t blank = std::min(first.find_first_not_of(" \t"), first.size());
  return {at.file, at.line, blank == first.size() ? 1 : blank + 1, 1};
}

}  // namespace bobbin::translate
