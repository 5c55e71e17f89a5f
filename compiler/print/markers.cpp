// SPDX-License-Identifier: Apache-2.0
#include "print/markers.h"

#include <utility>

namespace bobbin::translate {
namespace {

constexpr const char* kSystemHeader = " 3";
}  // namespace

bool is_marker(const std::string& line) {
  return line.size() > 2 && line.starts_with("# ") && line[2] >= '0' && line[2] <= '9';
}

void MarkedLines::leave(size_t depth) {
  while (!around_.empty() && around_.back().depth > depth) around_.pop_back();
}

void MarkedLines::write(const std::string& line, const std::string& marker) {
  // A pragma may be one that warns.
  if (!marker.empty()) out_ += marker + (line.starts_with("#") ? "" : kSystemHeader) + "\n";
  out_ += line + "\n";
}

void MarkedLines::write_waiting(const std::string& marker) {
  for (const std::string& one : waiting_) write(one, marker);
  waiting_.clear();
}

void MarkedLines::add_generated(const std::string& line, size_t depth) {
  if (markers_ != Markers::Each) {
    add_users(line, depth);
    return;
  }
  leave(depth);
  if (is_marker(line)) {
    while (!around_.empty() && around_.back().depth >= depth) around_.pop_back();
    around_.push_back({depth, line});
    last_ = line;
    write_waiting(line);
  } else if (!waiting_.empty() || around_.empty() || (depth == 0 && line != "}")) {
    waiting_.push_back(line);
  } else {
    write(line, around_.back().text);
  }
}

void MarkedLines::add_users(const std::string& line, size_t depth) {
  write_waiting(last_);
  leave(depth);
  out_ += line + "\n";
}

std::string MarkedLines::take() {
  write_waiting(last_);
  return std::move(out_);
}

}  // namespace bobbin::translate
