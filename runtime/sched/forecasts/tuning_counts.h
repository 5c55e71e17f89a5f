// SPDX-License-Identifier: Apache-2.0
// How often each heuristic (env/tuning.h) was asked, said yes, and turned out to be wrong, for each
// worker. Only the kernel thread that has the worker's record writes. Without
// BOBBIN_TUNING=counters nothing is counted, which costs a test of a constant.
#pragma once

#include "env/tuning.h"
#include "platform/atomic.h"

namespace bobbin {

class HeuristicCounts {
 public:
  void ask(Heuristic heuristic, bool yes) {
    if (!global_icvs().count_heuristics) [[likely]]
      return;
    Counts& counts = of_[static_cast<unsigned>(heuristic)];
    add(counts.asked, 1);
    if (yes) add(counts.yes, 1);
  }
  void regret(Heuristic heuristic) {
    if (global_icvs().count_heuristics) [[unlikely]]
      add(of_[static_cast<unsigned>(heuristic)].regretted, 1);
  }

  struct Counts {
    Relaxed<uint64_t> asked{0};
    Relaxed<uint64_t> yes{0};
    Relaxed<uint64_t> regretted{0};
  };
  const Counts& of(Heuristic heuristic) const { return of_[static_cast<unsigned>(heuristic)]; }

 private:
  static void add(Relaxed<uint64_t>& count, uint64_t more) { count = count + more; }

  Counts of_[kHeuristics];
};

}  // namespace bobbin
