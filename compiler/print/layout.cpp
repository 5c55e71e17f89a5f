// SPDX-License-Identifier: Apache-2.0
#include "print/layout.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace bobbin::translate {
namespace {

// Counts braces, but not those in strings and comments.
class Braces {
 public:
  size_t depth() const { return depth_; }

  void read(std::string_view line) {
    if (!in_comment_ && line.starts_with("#")) return;
    char quote = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      const bool is_pair = i + 1 < line.size();
      if (in_comment_) {
        if (c == '*' && is_pair && line[i + 1] == '/') in_comment_ = false;
      } else if (quote != 0) {
        if (c == '\\') {
          ++i;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '/' && is_pair && line[i + 1] == '*') {
        in_comment_ = true;
      } else if (c == '{') {
        ++depth_;
      } else if (c == '}' && depth_ > 0) {
        --depth_;
      }
    }
  }

 private:
  size_t depth_ = 0;
  bool in_comment_ = false;
};

class Layout {
 public:
  Layout(const std::string& marked, Markers markers)
      : marked_(marked), lines_(markers), is_moved_(markers == Markers::None) {}

  std::string run() {
    for (const char c : marked_) {
      if (c == kGenerated || c == kUsers) {
        is_users_ = c == kUsers;
        // A line of both begins as what comes first, unless that is blank.
        if (line_.find_first_not_of(' ') == std::string::npos) is_users_line_ = is_users_;
      } else if (c == '\n' || (c == kBreak && is_moved_)) {
        end_line();
      } else if (c == kBreak) {
        line_ += ' ';
      } else {
        line_ += c;
      }
    }
    if (!line_.empty()) end_line();
    return lines_.take();
  }

 private:
  void end_line() {
    while (line_.ends_with(' ')) line_.pop_back();
    const size_t first = line_.find_first_not_of(' ');
    if (is_users_line_) {
      if (is_moved_ && first != std::string::npos && line_[first] != '#') move(first);
      braces_.read(line_);
      lines_.add_users(line_, braces_.depth());
    } else if (first != std::string::npos) {
      const std::string text = line_.substr(first);
      const size_t depth = depth_at(text);
      const size_t before = braces_.depth();
      lines_.add_generated((text.front() == '#' ? "" : std::string(2 * depth, ' ')) + text, depth);
      braces_.read(line_);
      const size_t around = generated_depth_ + braces_.depth();
      generated_depth_ = around > before ? around - before : 0;
      if (text.front() != '#') last_generated_ = text;
    }
    line_.clear();
    is_users_line_ = is_users_;
  }

  size_t depth_at(const std::string& text) const {
    const bool closes = text.front() == '}' && braces_.depth() > 0;
    return braces_.depth() - (closes ? 1 : 0);
  }

  // A line of the user's in generated braces: with those before it, or to where it belongs.
  void move(size_t column) {
    if (!last_generated_.empty()) {
      const char end = last_generated_.back();
      const bool is_body = end == ')' && line_[column] != '{';
      const size_t wanted = 2 * (depth_at(line_.substr(column)) + (is_body ? 1 : 0));
      shift_ = generated_depth_ > 0
                   ? static_cast<std::ptrdiff_t>(wanted) - static_cast<std::ptrdiff_t>(column)
                   : 0;
      // What stands behind a brace tells where the block's lines stand.
      last_generated_ = line_.substr(column) == "{" ? "{" : "";
    }
    const auto moved = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(column) + shift_);
    line_ = std::string(static_cast<size_t>(moved), ' ') + line_.substr(column);
  }

  const std::string& marked_;
  MarkedLines lines_;
  std::string line_;
  bool is_users_ = true;
  bool is_users_line_ = true;
  Braces braces_;
  bool is_moved_;
  size_t generated_depth_ = 0;  // braces around that are generated
  std::string last_generated_;  // empty: lines of the user's have followed
  std::ptrdiff_t shift_ = 0;    // of these
};

}  // namespace

std::string lay_out(const std::string& marked, Markers markers) {
  return Layout(marked, markers).run();
}

}  // namespace bobbin::translate
