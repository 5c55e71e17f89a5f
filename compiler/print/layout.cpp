// SPDX-License-Identifier: Apache-2.0
#include "print/layout.h"

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
  Layout(const std::string& marked, Markers markers) : marked_(marked), lines_(markers) {}

  std::string run() {
    for (const char c : marked_) {
      if (c == kGenerated || c == kUsers) {
        is_users_ = c == kUsers;
        // A line of both begins as what comes first, unless that is blank.
        if (line_.find_first_not_of(' ') == std::string::npos) is_users_line_ = is_users_;
      } else if (c == '\n') {
        end_line();
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
      braces_.read(line_);
      lines_.add_users(line_, braces_.depth());
    } else if (first != std::string::npos) {
      const std::string text = line_.substr(first);
      const bool closes = text.front() == '}' && braces_.depth() > 0;
      const size_t depth = braces_.depth() - (closes ? 1 : 0);
      lines_.add_generated((text.front() == '#' ? "" : std::string(2 * depth, ' ')) + text, depth);
      braces_.read(line_);
    }
    line_.clear();
    is_users_line_ = is_users_;
  }

  const std::string& marked_;
  MarkedLines lines_;
  std::string line_;
  bool is_users_ = true;
  bool is_users_line_ = true;
  Braces braces_;
};

}  // namespace

std::string lay_out(const std::string& marked, Markers markers) {
  return Layout(marked, markers).run();
}

}  // namespace bobbin::translate
