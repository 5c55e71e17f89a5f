// SPDX-License-Identifier: Apache-2.0
// Where the time of a process goes that runs already: looks at all its OpenMP threads, many times a
// second, from outside.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "insight/live/activity.h"
#include "insight/live/process/layout.h"
#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"
#include "insight/live/process/threads.h"
#include "insight/live/python/python_times.h"
#include "insight/report/profiles/profile.h"

namespace bobbin::insight {

class Sampler {
 public:
  // Throws Unreadable. The process must have loaded Bobbin.
  explicit Sampler(int process);

  // Looks once. What each thread does counts for the time since the last look. False: the process
  // has ended.
  bool look(double seconds);

  ProcessFigures figures() const;

 private:
  using Key = std::pair<SiteKind, uint64_t>;
  struct Spent {
    double seconds = 0;
    uint64_t looks = 0;
  };
  struct Thread {
    size_t order = 0;  // of their first look
    bool is_root = false;
    std::map<Key, Spent> at;
  };

  ThreadFigures figures_of(const Thread& thread) const;
  std::vector<SiteFigures> sites() const;
  std::vector<FunctionFigures> functions() const;

  int process_;
  Memory memory_;
  LiveModules modules_;
  Layout layout_;
  ThreadReader threads_of_;
  ActivityReader activities_;
  PythonTimes python_;
  double processor_seconds_before_;
  double seconds_ = 0;
  uint64_t looks_ = 0;
  std::map<uint64_t, Thread> threads_;   // by their fibers
  std::map<uint64_t, Spent> functions_;  // by an address behind their begin
};

}  // namespace bobbin::insight
