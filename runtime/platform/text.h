// SPDX-License-Identifier: Apache-2.0
//
// Text without allocation and without libstdc++: an output that fills a caller's buffer and counts
// on when the buffer is full, and a cursor that reads.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace bobbin {

// Appends to a buffer of fixed size, which is always terminated by a zero when the size is not 0.
// length() is the length of the whole text, as with snprintf; text that does not fit is dropped.
class TextOut {
 public:
  TextOut(char* buffer, std::size_t size) : buffer_(buffer), size_(size) {
    if (size_ != 0) buffer_[0] = '\0';
  }

  std::size_t length() const { return length_; }
  bool truncated() const { return length_ >= size_; }
  std::string_view view() const {
    if (size_ == 0) return {};
    return {buffer_, length_ < size_ ? length_ : size_ - 1};
  }
  const char* c_str() const { return size_ != 0 ? buffer_ : ""; }

  void add(std::string_view text) {
    if (length_ + 1 < size_ && !text.empty()) {
      const std::size_t room = size_ - 1 - length_;
      const std::size_t n = text.size() < room ? text.size() : room;
      std::memcpy(buffer_ + length_, text.data(), n);
      buffer_[length_ + n] = '\0';
    }
    length_ += text.size();
  }
  void add(char c) { add(std::string_view(&c, 1)); }

  void repeat(char c, std::size_t count) {
    if (length_ + 1 < size_) {
      const std::size_t room = size_ - 1 - length_;
      const std::size_t n = count < room ? count : room;
      std::memset(buffer_ + length_, c, n);
      buffer_[length_ + n] = '\0';
    }
    length_ += count;
  }

  void number(std::uint64_t value) {
    char digits[20];
    std::size_t at = sizeof digits;
    do {
      digits[--at] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    add({digits + at, sizeof digits - at});
  }
  void number(std::int64_t value) {
    if (value >= 0) return number(static_cast<std::uint64_t>(value));
    add('-');
    number(std::uint64_t{0} - static_cast<std::uint64_t>(value));
  }
  void number(int value) { number(static_cast<std::int64_t>(value)); }
  void number(unsigned value) { number(static_cast<std::uint64_t>(value)); }

  [[gnu::format(printf, 2, 3)]] void format(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vformat(format, arguments);
    va_end(arguments);
  }
  [[gnu::format(printf, 2, 0)]] void vformat(const char* format, va_list arguments) {
    const bool full = length_ + 1 >= size_;
    char nothing[1];
    const int n = full ? std::vsnprintf(nothing, 1, format, arguments)
                       : std::vsnprintf(buffer_ + length_, size_ - length_, format, arguments);
    if (n > 0) length_ += static_cast<std::size_t>(n);
  }

 private:
  char* buffer_;
  std::size_t size_;
  std::size_t length_ = 0;
};

namespace detail {
template <std::size_t N>
struct TextStorage {
  char storage_[N];
};
}  // namespace detail

// A TextOut with its buffer. (The buffer is a base that comes first, so that it exists when the
// TextOut writes to it.)
template <std::size_t N>
class Text : private detail::TextStorage<N>, public TextOut {
 public:
  Text() : TextOut(this->storage_, N) {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
};

inline char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_name_char(char c) {
  return is_digit(c) || c == '_' || c == '-' || (to_lower(c) >= 'a' && to_lower(c) <= 'z');
}

inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

inline bool starts_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::memcmp(text.data(), prefix.data(), prefix.size()) == 0;
}

// std::string_view::substr would need an exception of libstdc++.
inline std::string_view slice(std::string_view text, std::size_t from) {
  return from >= text.size() ? std::string_view{}
                             : std::string_view{text.data() + from, text.size() - from};
}

inline std::string_view trimmed(std::string_view text) {
  const char* from = text.data();
  const char* to = from + text.size();
  while (from != to && is_space(*from)) ++from;
  while (from != to && is_space(to[-1])) --to;
  return {from, static_cast<std::size_t>(to - from)};
}

// Reads from the front of a text. Every step first skips white space; a step that does not match
// leaves the cursor where it was (after the space).
class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  void skip_space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  bool done() {
    skip_space();
    return at_ == end_;
  }
  // The text that has not been read yet.
  const char* rest() const { return at_; }
  char peek() { return done() ? '\0' : *at_; }
  bool eat(char c) {
    if (done() || *at_ != c) return false;
    ++at_;
    return true;
  }
  // Letters, digits, '_' and '-'; empty when there are none.
  std::string_view word() {
    skip_space();
    const char* from = at_;
    while (at_ != end_ && is_name_char(*at_)) ++at_;
    return {from, static_cast<std::size_t>(at_ - from)};
  }
  // A decimal number without sign. False when there is none or it does not fit.
  bool number(std::uint64_t& value) { return !done() && digits(10, value); }
  // As in C: hexadecimal with 0x in front, octal with 0.
  bool c_number(std::uint64_t& value) {
    if (!eat('0')) return number(value);
    if (at_ != end_ && to_lower(*at_) == 'x') {
      ++at_;
      return digits(16, value);
    }
    --at_;
    return digits(8, value);
  }
  // With an optional sign.
  bool integer(std::int64_t& value) {
    const bool negative = eat('-');
    if (!negative) eat('+');
    std::uint64_t magnitude;
    if (!number(magnitude) || magnitude > INT64_MAX) return false;
    value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
    return true;
  }

 private:
  // Returns 99, more than any base, for a character that is no digit.
  static unsigned digit_at(char c) {
    if (is_digit(c)) return static_cast<unsigned>(c - '0');
    const char letter = to_lower(c);
    return letter >= 'a' && letter <= 'f' ? static_cast<unsigned>(letter - 'a') + 10 : 99;
  }
  bool digits(unsigned base, std::uint64_t& value) {
    const char* from = at_;
    std::uint64_t v = 0;
    bool fits = true;
    for (; at_ != end_ && digit_at(*at_) < base; ++at_) {
      if (__builtin_mul_overflow(v, std::uint64_t{base}, &v) ||
          __builtin_add_overflow(v, std::uint64_t{digit_at(*at_)}, &v)) {
        fits = false;
      }
    }
    value = v;
    return fits && at_ != from;
  }

  const char* at_;
  const char* end_;
};

}  // namespace bobbin
