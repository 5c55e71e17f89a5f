// SPDX-License-Identifier: Apache-2.0
// The figures of a profile, from the recordings of the processes.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "insight/profile/thread_record.h"
#include "insight/report/profiles/python_frame.h"
#include "insight/report/symbols/symbols.h"

namespace bobbin::insight {

// What the tables tell apart. Each kind of site belongs to one.
struct Activity {
  std::string_view name;   // in JSON
  std::string_view title;  // in the table
  std::vector<SiteKind> kinds;
};
const std::vector<Activity>& activities();

bool is_work(SiteKind kind);
bool is_wait(SiteKind kind);

struct ThreadFigures {
  int type = 0;  // ompt_thread_t
  double seconds = 0;
  std::array<double, kSiteKinds> spent = {};   // seconds
  std::array<uint64_t, kSiteKinds> came = {};  // how often
  std::array<uint64_t, kCounts> counts = {};
  uint64_t largest_queue = 0;  // tasks

  double spent_on(const Activity& activity) const;
  uint64_t deferred() const;  // tasks
  void add(const ThreadFigures& other);
};

struct SiteFigures {
  SiteKind kind = SiteKind::None;
  Place place;
  bool known = false;  // it has a place
  double seconds = 0;
  uint64_t count = 0;
  unsigned threads = 0;  // that spent time there
  double longest = 0;    // seconds of the thread that spent most

  // 1 - mean / maximum over the threads that were there.
  double imbalance() const;
};

// A function of the program's in which threads were seen (insight/live).
struct FunctionFigures {
  Place place;
  double seconds = 0;
  uint64_t samples = 0;
};

// Where a Python program was when it was looked at, in Python and in OpenMP's regions.
struct PythonFigures {
  std::vector<PythonFrame> frames;  // of own_and_innermost()
  bool in_region = false;
  Place region;        // the innermost one
  double seconds = 0;  // of the kernel threads that execute Python
  double working = 0;  // seconds of OpenMP threads at work meanwhile, these included
  uint64_t samples = 0;
};

struct ProcessFigures {
  int process = 0;
  int parent = 0;
  std::string command;
  std::string runtime;
  bool ended_in_order = false;
  double seconds = 0;
  double start_up = 0;           // seconds until its first region; all, if it began none
  double processor_seconds = 0;  // that the process used; 0: not known
  double ticks_per_ns = 1;
  Usage usage;
  unsigned threads_lost = 0;
  unsigned sites_lost = 0;
  uint64_t begin_ns = 0;
  // How often it was looked at from outside; 0: it has recorded by itself. What was looked at tells
  // shares of time, and nothing of how often something happened.
  uint64_t samples = 0;
  std::vector<ThreadFigures> threads;
  std::vector<SiteFigures> sites;          // those that took most time come first
  std::vector<FunctionFigures> functions;  // likewise, if it was looked at
  std::vector<PythonFigures> python;       // likewise, if it executes Python

  ThreadFigures total() const;
  // Of the program's work in regions, over the threads that had any.
  double imbalance() const;
  // The share of the time in which threads did not wait that they had a processor, at most 1.
  double on_processors() const;
  uint64_t count(Count which) const;
};

// Those of the folder that have used OpenMP: first `main` (0: none), then in the order in which
// they began.
std::vector<ProcessFigures> read_profiles(const std::filesystem::path& folder, int main);

}  // namespace bobbin::insight
