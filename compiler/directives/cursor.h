// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lex/source.h"

namespace bobbin::translate {

// Reads the words of one pragma. A Refusal is thrown where something else is expected.
class Cursor {
 public:
  // Words of the pragma, by number.
  struct Range {
    size_t begin;
    size_t end;
    bool empty() const { return begin >= end; }
  };

  Cursor(const Source& source, const Token& pragma);

  bool at_end() const { return at_ >= words_.size(); }
  // Behind the last word that was taken.
  size_t previous_end() const { return words_[at_ - 1].end; }
  size_t offset() const { return begin_of({at_, words_.size()}); }
  bool is(std::string_view text) const { return !at_end() && text_at(at_) == text; }
  void next() { ++at_; }
  void skip(size_t words) { at_ += words; }

  std::string_view peek(size_t ahead) const { return text_at(at_ + ahead); }
  bool peek_is_word(size_t ahead) const { return is_word(at_ + ahead); }
  bool is_word(size_t word) const;

  // expected: what the word is, for the message.
  std::string take_word(std::string_view expected);
  void expect(std::string_view text);
  // Takes `( ... )`, and returns what is between.
  Range take_parentheses();

  std::string_view text_at(size_t word) const { return source_(words_[word]); }
  size_t begin_of(const Range& range) const;
  size_t end_of(const Range& range) const { return words_[range.end - 1].end; }
  std::string_view text_of(const Range& range) const;

  // The bracket that closes the one at `word`.
  size_t matching(size_t word, size_t end) const;
  // At separators outside of brackets. An empty range has no parts.
  std::vector<Range> split(const Range& range, std::string_view separator) const;
  // The first colon outside of brackets that does not belong to `? :`.
  std::optional<size_t> find_colon(const Range& range) const;

 private:
  const Source& source_;
  std::vector<Token> words_;
  size_t end_;
  size_t at_ = 0;
};

}  // namespace bobbin::translate
