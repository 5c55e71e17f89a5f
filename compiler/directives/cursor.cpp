// SPDX-License-Identifier: Apache-2.0
#include "directives/cursor.h"

#include "lex/diagnostics.h"

namespace bobbin::translate {
namespace {

bool opens(std::string_view text) { return text == "(" || text == "[" || text == "{"; }
bool closes(std::string_view text) { return text == ")" || text == "]" || text == "}"; }

}  // namespace

Cursor::Cursor(const Source& source, const Token& pragma)
    : source_(source),
      words_(tokenize(source.text(), pragma.begin + 1, pragma.end, HashLines::Ignore)),
      end_(pragma.end) {}

bool Cursor::is_word(size_t word) const {
  return word < words_.size() && words_[word].kind == TokenKind::Identifier;
}

std::string Cursor::take_word(std::string_view expected) {
  if (!peek_is_word(0)) throw Refusal{offset(), "expected " + std::string(expected)};
  return std::string(text_at(at_++));
}

void Cursor::expect(std::string_view text) {
  if (!is(text)) throw Refusal{offset(), "expected '" + std::string(text) + "'"};
  ++at_;
}

Cursor::Range Cursor::take_parentheses() {
  const size_t open = at_;
  expect("(");
  const size_t close = matching(open, words_.size());
  at_ = close + 1;
  return {open + 1, close};
}

// Behind the last word it is the last character of the pragma.
size_t Cursor::begin_of(const Range& range) const {
  return range.begin < words_.size() ? words_[range.begin].begin : end_ - 1;
}

std::string_view Cursor::text_of(const Range& range) const {
  if (range.empty()) return {};
  const size_t begin = words_[range.begin].begin;
  return std::string_view(source_.text()).substr(begin, end_of(range) - begin);
}

size_t Cursor::matching(size_t word, size_t end) const {
  size_t depth = 0;
  for (size_t i = word; i < end; ++i) {
    if (opens(text_at(i))) ++depth;
    if (closes(text_at(i)) && --depth == 0) return i;
  }
  throw Refusal{words_[word].begin, "no bracket closes this '" + std::string(text_at(word)) + "'"};
}

std::vector<Cursor::Range> Cursor::split(const Range& range, std::string_view separator) const {
  std::vector<Range> parts;
  if (range.empty()) return parts;
  size_t begin = range.begin;
  for (size_t i = range.begin; i < range.end; ++i) {
    if (opens(text_at(i))) {
      i = matching(i, range.end);
    } else if (text_at(i) == separator) {
      parts.push_back({begin, i});
      begin = i + 1;
    }
  }
  parts.push_back({begin, range.end});
  return parts;
}

std::optional<size_t> Cursor::find_colon(const Range& range) const {
  size_t conditions = 0;
  for (size_t i = range.begin; i < range.end; ++i) {
    if (opens(text_at(i))) {
      i = matching(i, range.end);
    } else if (text_at(i) == "?") {
      ++conditions;
    } else if (text_at(i) == ":") {
      if (conditions == 0) return i;
      --conditions;
    }
  }
  return std::nullopt;
}

}  // namespace bobbin::translate
