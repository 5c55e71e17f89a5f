// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/hash.h"
#include "sched/forecasts/deadline.h"

namespace bobbin {

struct Ticket;
struct Worker;

// Regions whose threads wait for each other in a system call, where the runtime does not see it (a
// barrier of the C library). Such a region makes progress only if all its threads run. The monitor
// brings each missing thread a worker, but only some milliseconds after the fork. So it notes the
// code of such a region. For some time afterwards forks of this code send workers at once, whether
// or not a processor is free, as other runtimes always do. They send only helpers and spares that
// exist already, so there are never more than the monitor has found to be needed.
//
// Written by the monitor, read by forking threads. No other data depend on an entry: a thread that
// sees half of a change sends workers in vain, or leaves it to the monitor.
class GangRegions {
 public:
  void note(const void* code, uint64_t now, uint64_t span) {
    Entry& entry = entries_[slot_of(code)];
    entry.code.store(code, relaxed);
    entry.until.set(now, span);
  }
  // May this code be noted? Most are not, and for them the caller need not read the time.
  bool knows(const void* code) const { return entries_[slot_of(code)].code.load(relaxed) == code; }
  bool needed(const void* code, uint64_t now) const {
    return knows(code) && entries_[slot_of(code)].until.ahead(now);
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

inline GangRegions gang_regions;

// By the monitor, for a worker that has passed no scheduling point since the last look, while
// threads of regions forked there are unbegun: notes these regions if the worker sleeps in the
// kernel.
void note_if_it_sleeps(Worker& worker);

// By the thread that forks such a region: sends workers for so many threads.
void send_workers(Ticket& ticket, unsigned wanted);

}  // namespace bobbin
