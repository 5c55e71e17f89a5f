// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/hash.h"
#include "sched/deadline.h"

namespace bobbin {

struct Worker;

// Regions whose threads wait for each other where the runtime does not see it, in a loop or in a
// call of the system: they get on only if all of them are there. The monitor brings the missing
// ones a worker, but only some milliseconds after the fork. So it writes down the code of such a
// region, and for the time that follows whoever finds nobody to call to its threads sends a worker
// at once, processor free or not, as other runtimes do always.
//
// Written by the monitor, read by who forks and who begins a thread. An entry is about nothing but
// itself: who sees half of a change calls a worker in vain, or leaves one to the monitor.
class Together {
 public:
  void note(const void* code, uint64_t now, uint64_t span) {
    Entry& entry = entries_[slot_of(code)];
    entry.code.store(code, relaxed);
    entry.until.set(now, span);
  }
  bool needed(const void* code, uint64_t now) const {
    const Entry& entry = entries_[slot_of(code)];
    return entry.code.load(relaxed) == code && entry.until.ahead(now);
  }

 private:
  static constexpr unsigned kBits = 4;
  static uint64_t slot_of(const void* code) { return fibonacci_hash(code, kBits); }

  struct Entry {
    Atomic<const void*> code{nullptr};
    Deadline until;
  };
  Entry entries_[1u << kBits] = {};
};

inline Together together;

// The monitor's, at each look at a worker with which others wait. True: threads of regions forked
// there are unbegun while the worker sleeps in the kernel. `still`: it has passed no scheduling
// point since the last look. Then these regions are noted, and also if it has run for longer than
// the kernel's time slices: one that was merely preempted waits for nobody.
bool sleeps_with_threads_unbegun(Worker& worker, bool still);

}  // namespace bobbin
