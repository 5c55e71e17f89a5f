// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex.h>

#include <optional>
#include <string>
#include <vector>

#include "insight/record/site_kind.h"

namespace bobbin::insight {

// What a thread does that has called an entry point, by debugger/bobbin_gdb/entry_points.txt.
class EntryPoints {
 public:
  EntryPoints();
  ~EntryPoints();
  EntryPoints(const EntryPoints&) = delete;
  EntryPoints& operator=(const EntryPoints&) = delete;

  // Nothing: the thread waits for nobody there.
  std::optional<SiteKind> kind_of(const std::string& name) const;

 private:
  struct Line {
    SiteKind kind;
    regex_t pattern;
  };

  std::vector<Line> lines_;
};

}  // namespace bobbin::insight
