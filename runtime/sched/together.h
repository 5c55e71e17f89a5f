// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/hash.h"
#include "sched/deadline.h"

namespace bobbin {

struct Ticket;
struct Worker;

// Regions whose threads wait for each other where the runtime does not see it, in a call of the
// system (a barrier of the C library): they get on only if all of them are there. The monitor
// brings each missing one a worker, but only some milliseconds after the fork. So it writes down
// the code of such a region, and for the time that follows its forks send workers at once,
// processor free or not, as other runtimes do always; but only helpers and spares that are there
// already, so that there are never more than the monitor has found to be needed.
//
// Written by the monitor, read by who forks. An entry is about nothing but itself: who sees half of
// a change sends workers in vain, or leaves it to the monitor.
class Together {
 public:
  void note(const void* code, uint64_t now, uint64_t span) {
    Entry& entry = entries_[slot_of(code)];
    entry.code.store(code, relaxed);
    entry.until.set(now, span);
  }
  // Might it be noted? Of most regions not, and then nobody need ask for the time.
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

inline Together together;

// By the monitor, of a worker that has passed no scheduling point since its last look while threads
// of regions forked there are unbegun: notes these regions if it sleeps in the kernel.
void note_if_it_sleeps(Worker& worker);

// By who forks such a region: workers for so many threads.
void send_workers(Ticket& ticket, unsigned wanted);

}  // namespace bobbin
