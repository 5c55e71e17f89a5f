// SPDX-License-Identifier: Apache-2.0
// On which processors the workers run, so that whoever looks for work or for help can begin with
// the nearest. Workers are not bound, so this is where each ran when it looked last.
#pragma once

#include <sched.h>

#include <cstdint>

#include "platform/atomic.h"
#include "sched/processors/distance.h"

namespace bobbin {

class Whereabouts {
 public:
  static constexpr unsigned kSlots = 8192;  // kMaxWorkers
  static constexpr int kUnknown = -1;

  // Until the machine has been read, and on one whose processors are all equally far apart and
  // equally fast, nothing below is noted.
  const Distance& distance() const { return *distance_.load(acquire); }
  bool matters() const { return !distance().flat(); }

  // Reads the tree of the processors that the process may use, if that has not been done. Takes
  // some milliseconds on a large machine, so a helper that has nothing to do calls it.
  void read_machine();
  // In the child of a fork.
  void go_on_in_child();
  // They have changed.
  void read_again() { read_.store(false, relaxed); }
  // What read_machine() does with what it has read. `distance` must last.
  void use(const Distance& distance) { distance_.store(&distance, release); }

  // Called by the kernel thread of the worker in that slot. Returns the processor.
  int note(unsigned slot) {
    if (!matters()) return kUnknown;
    const int here = sched_getcpu();
    if (of(slot) != here) of_[slot].store(static_cast<std::int16_t>(here + 1), relaxed);
    return here;
  }
  int of(unsigned slot) const { return of_[slot].load(relaxed) - 1; }
  // Are both processors in a group that is smaller than the machine?
  bool share_a_group(int processor, int other) const {
    const Distance& known = distance();
    return known.between(processor, other) + 1 < known.levels();
  }
  // How near they are to each other, if the machine has been read and they are known.
  Nearness nearness(int processor, int other) const {
    const Distance& known = distance();
    if (known.levels() == 1 || processor < 0 || other < 0) return Nearness::Unknown;
    return known.groups(known.between(processor, other));
  }

 private:
  static constexpr Distance kNoDistance{};

  Atomic<const Distance*> distance_{&kNoDistance};
  Atomic<bool> read_{false};
  Atomic<std::int16_t> of_[kSlots] = {};  // processor + 1; 0: unknown
};

extern Whereabouts whereabouts;

}  // namespace bobbin
