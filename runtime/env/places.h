// SPDX-License-Identifier: Apache-2.0
//
// The place partition of the initial task (place-partition-var): the places that OMP_PLACES and
// GOMP_CPU_AFFINITY describe, reduced to the processors that this process may use.
#pragma once

#include "env/icv.h"
#include "platform/processors/cpu_set.h"
#include "platform/processors/topology.h"
#include "platform/text.h"

namespace bobbin {

class PlaceList {
 public:
  unsigned count() const { return count_; }
  // The processors of a place, in ascending order of the kernel's numbers.
  unsigned size(unsigned place) const { return starts_[place + 1] - starts_[place]; }
  const unsigned* cpus(unsigned place) const { return cpus_ + starts_[place]; }
  CpuSet mask(unsigned place) const;

  // Adds a place, reduced to `usable`. An empty place is left out. False when memory runs out.
  bool add(const CpuSet& place, const CpuSet& usable);
  bool remove(const CpuSet& place);  // false: there is no such place
  void clear();

 private:
  bool reserve(unsigned places, unsigned cpus);

  unsigned* starts_ = nullptr;  // count_ + 1 of them, once there is a place
  unsigned* cpus_ = nullptr;
  unsigned count_ = 0;
  unsigned places_room_ = 0;
  unsigned cpus_room_ = 0;
};

// Fills `list` with the places that the ICVs ask for; empty when threads are not to be bound.
void build_places(const GlobalIcvs& icvs, const CpuSet& usable, const Topology& (*tree)(),
                  PlaceList& list);

// The program's list. It is built on first use, because abstract names need the topology. Empty
// unless binding was requested.
const PlaceList& place_list();

// "0-3,8" as in the affinity format's %A.
void print_cpus(const CpuSet& set, TextOut& out);

}  // namespace bobbin
