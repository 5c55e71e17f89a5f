// SPDX-License-Identifier: Apache-2.0
#include "print/layout.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

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

constexpr size_t kWidth = 100;

// Where a long line is divided: behind the last comma within as few brackets as possible, or npos.
size_t divide_at(const std::string& line) {
  size_t best = std::string::npos;
  size_t least = std::string::npos;
  size_t depth = 0;
  char quote = 0;
  for (size_t i = 0; i < line.size() && i < kWidth; ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '{' || c == '[') {
      ++depth;
    } else if ((c == ')' || c == '}' || c == ']') && depth > 0) {
      --depth;
    } else if (c == ',' && depth <= least) {
      least = depth;
      best = i + 1;
    }
  }
  return best;
}

std::vector<std::string> wrapped(std::string line) {
  std::vector<std::string> lines;
  const std::string indentation(line.find_first_not_of(' ') + 4, ' ');
  const bool is_code = line.find("/*") == std::string::npos && !line.starts_with("#");
  while (is_code && line.size() > kWidth) {
    const size_t at = divide_at(line);
    if (at == std::string::npos || line.find_first_not_of(' ', at) == std::string::npos) break;
    lines.push_back(line.substr(0, at));
    line = indentation + line.substr(line.find_first_not_of(' ', at));
  }
  lines.push_back(line);
  return lines;
}

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
    write_held();
    return lines_.take();
  }

 private:
  void end_line() {
    while (line_.ends_with(' ')) line_.pop_back();
    const size_t first = line_.find_first_not_of(' ');
    if (is_users_line_) {
      if (is_moved_ && first != std::string::npos && line_[first] != '#') move(first);
      braces_.read(line_);
      add(line_, [&](const std::string& line) { lines_.add_users(line, braces_.depth()); });
    } else if (first != std::string::npos) {
      const std::string text = line_.substr(first);
      const size_t depth = depth_at(text);
      const size_t before = braces_.depth();
      const std::string line = (text.front() == '#' ? "" : std::string(2 * depth, ' ')) + text;
      if (is_moved_ && text.ends_with(')') && text.front() != '#') {
        write_held();
        held_ = line;
      } else {
        add(line, [&](const std::string& one) { add_generated(one, depth); });
      }
      braces_.read(line_);
      const size_t around = generated_depth_ + braces_.depth();
      generated_depth_ = around > before ? around - before : 0;
      if (text.front() != '#') last_generated_ = text;
    }
    line_.clear();
    is_users_line_ = is_users_;
  }

  void add_generated(const std::string& line, size_t depth) {
    for (const std::string& one : is_moved_ ? wrapped(line) : std::vector<std::string>{line}) {
      lines_.add_generated(one, depth);
    }
  }

  // A brace stands behind the generated line that it follows.
  template <class Add>
  void add(const std::string& line, const Add& write) {
    if (held_.empty()) {
      write(line);
    } else if (is_marker(line)) {
      held_markers_.push_back(line);
    } else if (line.ends_with('{') && line.find_first_not_of(' ') == line.size() - 1) {
      held_ += " {";
      for (const std::string& one : held_markers_) lines_.add_users(one, 0);
      held_markers_.clear();
      write_held();
    } else {
      write_held();
      write(line);
    }
  }

  void write_held() {
    if (held_.empty()) return;
    add_generated(held_, 0);
    held_.clear();
    for (const std::string& one : held_markers_) lines_.add_users(one, 0);
    held_markers_.clear();
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
  size_t generated_depth_ = 0;             // braces around that are generated
  std::string last_generated_;             // empty: lines of the user's have followed
  std::ptrdiff_t shift_ = 0;               // of these
  std::string held_;                       // a generated line that a brace may follow; empty: none
  std::vector<std::string> held_markers_;  // behind it
};

}  // namespace

std::string lay_out(const std::string& marked, Markers markers) {
  return Layout(marked, markers).run();
}

}  // namespace bobbin::translate
