// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/entry_points.h"

#include <map>
#include <sstream>
#include <stdexcept>

#include "entry_points_text.h"

namespace bobbin::insight {
namespace {

SiteKind kind_named(const std::string& state) {
  using enum SiteKind;
  static const std::map<std::string, SiteKind> kKinds = {
      {"TASKGROUP", Taskgroup}, {"TASKWAIT", Taskwait}, {"BARRIER", Barrier},
      {"ORDERED", Ordered},     {"CRITICAL", Critical}, {"LOCK", Lock},
      {"ATOMIC", Atomic},       {"BLOCKED", Taskwait},  {"TASK", TaskCreation},
      {"REGION_END", Barrier},
  };
  return kKinds.at(state);
}

}  // namespace

EntryPoints::EntryPoints() {
  std::istringstream text(kEntryPointsText);
  for (std::string line; std::getline(text, line);) {
    const size_t space = line.find(' ');
    if (line.starts_with("#") || space == std::string::npos) continue;
    Line& made = lines_.emplace_back(Line{kind_named(line.substr(0, space)), {}});
    const std::string pattern = "^(" + line.substr(space + 1) + ")$";
    if (regcomp(&made.pattern, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
      lines_.pop_back();
      throw std::logic_error("entry_points.txt: " + line);
    }
  }
}

EntryPoints::~EntryPoints() {
  for (Line& line : lines_) regfree(&line.pattern);
}

std::optional<SiteKind> EntryPoints::kind_of(const std::string& name) const {
  for (const Line& line : lines_) {
    if (regexec(&line.pattern, name.c_str(), 0, nullptr, 0) == 0) return line.kind;
  }
  return std::nullopt;
}

}  // namespace bobbin::insight
