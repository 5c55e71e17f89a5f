// SPDX-License-Identifier: Apache-2.0
#include "sched/processors/whereabouts.h"

#include "env/tuning.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "platform/processors/machine_topology.h"
#include "sched/processors/known_processors.h"

namespace bobbin {

constinit Whereabouts whereabouts;

namespace {

// The distances between the processors of one mask. Any thread may be using those of any mask that
// the process ever had, so all stay. A mask that comes again gets the same ones.
struct Known {
  CpuSet mask;
  Distance distance;
  Known* next = nullptr;
};
// A program whose processors change more often than that goes on with the last distances.
constexpr unsigned kMostKnown = 64;

SpinLock reading;  // guards the next two
Known* all_known = nullptr;
unsigned count_known = 0;

// nullptr: they cannot be had.
const Distance* distances_between(const CpuSet& mask) {
  for (const Known* known = all_known; known != nullptr; known = known->next) {
    if (known->mask == mask) return &known->distance;
  }
  if (count_known == kMostKnown) return nullptr;
  Known* known = make_lasting<Known>();
  if (known == nullptr) return nullptr;
  // Not by hwloc: to load a library into a program that has not asked for it is too much for this.
  Topology topology;
  if (load_topology_from_sys(mask, TopologyFiles{}, topology)) known->distance.fill(topology);
  topology.clear();
  known->mask = mask;
  known->next = all_known;
  all_known = known;
  count_known++;
  return &known->distance;
}

}  // namespace

void Whereabouts::read_machine() {
  if (read_.load(relaxed) || !enabled(Heuristic::Nearest)) return;
  if (!reading.try_lock()) return;
  if (!read_.exchange(true, relaxed)) {
    const CpuSet mask = known_processors.mask();
    const Distance* known = mask.count() > 2 ? distances_between(mask) : &kNoDistance;
    if (known != nullptr) use(*known);
  }
  reading.unlock();
}

void Whereabouts::go_on_in_child() {
  if (reading.free_in_child()) read_again();
}

}  // namespace bobbin
