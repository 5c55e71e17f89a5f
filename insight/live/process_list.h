// SPDX-License-Identifier: Apache-2.0
// The processes on Bobbin, with what they do at the moment.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "insight/live/process/proc.h"
#include "insight/live/process/threads.h"
#include "insight/report/symbols/symbols.h"

namespace bobbin::insight {

struct ListedRegion {
  std::string place;
  unsigned size = 0;   // threads of each
  unsigned count = 0;  // so many are open there
  std::string python;  // the line of Python that they come from; empty: none is known
};

struct ListedProcess {
  int process = 0;
  std::string command;
  double processors = 0;  // that it used, since the last look
  unsigned kernel_threads = 0;
  unsigned threads = 0;  // OpenMP's
  unsigned working = 0;  // of these
  unsigned waiting = 0;
  uint64_t queued = 0;  // tasks
  std::vector<ListedRegion> regions;
  std::string problem;  // why nothing more is known; empty: it is known
};

class ProcessList {
 public:
  ProcessList();
  ~ProcessList();

  // Those that this user may read, the busiest first.
  std::vector<ListedProcess> look();

 private:
  struct Watched;

  struct Known {
    ProcessImage image;                // as of the last look
    std::unique_ptr<Watched> watched;  // nullptr: the process is not on Bobbin
  };

  using Clock = std::chrono::steady_clock;

  static void look_again(int process, Known& known);

  std::map<int, Known> known_;  // by process
};

}  // namespace bobbin::insight
