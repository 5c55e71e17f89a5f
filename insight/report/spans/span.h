// SPDX-License-Identifier: Apache-2.0
// Work and span, from the recordings of the processes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "insight/record/site_kind.h"
#include "insight/report/symbols/symbols.h"

namespace bobbin::insight {

struct SpanSite {
  unsigned number = 0;  // in the recording
  SiteKind kind = SiteKind::None;
  Place place;
  bool known = false;  // it has a place
  uint64_t count = 0;
  double work = 0;     // seconds
  double on_path = 0;  // seconds of the critical path
  double longest = 0;  // of loops and sections: the longest part that one thread must do
  // Of regions, with all inside of them.
  double whole_work = 0;
  double whole_span = 0;
};

struct SpanFigures {
  std::filesystem::path recording;
  double ticks_per_ns = 1;
  int process = 0;
  std::string command;
  std::string runtime;
  bool path_known = false;  // the process has ended in order
  double work = 0;          // seconds
  double span = 0;
  uint64_t tasks = 0;
  uint64_t hand_overs = 0;  // on the critical path
  double hand_over = 0;     // seconds, of one, on this machine
  double in_mutex = 0;      // work in the mutex with the most work
  Place mutex;
  std::vector<SpanSite> sites;  // those with most of the critical path come first

  double parallelism() const { return span > 0 ? work / span : 1; }
  double burdened_span() const { return span + static_cast<double>(hand_overs) * hand_over; }
  // Bounds of the speed-up on so many processors. No schedule is better than the first. A schedule
  // that leaves no processor idle while there is work is at least as good as the second (Brent's
  // and Graham's bound).
  double at_most(unsigned processors) const;
  double at_least(unsigned processors) const;
};

// Of the processes that have used OpenMP, `main` first.
std::vector<SpanFigures> read_spans(const std::filesystem::path& folder, int main);

std::string span_text(const SpanFigures& process);
// docs/inside.md describes the fields.
std::string span_json(const std::vector<SpanFigures>& processes);

}  // namespace bobbin::insight
