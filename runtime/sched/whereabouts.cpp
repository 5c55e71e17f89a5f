// SPDX-License-Identifier: Apache-2.0
#include "sched/whereabouts.h"

#include "env/tuning.h"
#include "platform/machine_topology.h"
#include "platform/processors.h"

namespace bobbin {

constinit Whereabouts whereabouts;

void Whereabouts::read_machine() {
  if (read_.load(relaxed) || read_.exchange(true, relaxed)) return;
  if (!enabled(Heuristic::Nearest) || process_mask().count() <= 2) return;
  // Not by hwloc: to load a library into a program that has not asked for it is too much for this.
  Topology topology;
  if (!load_topology_from_sys(process_mask(), TopologyFiles{}, topology)) return;
  static constinit Distance machine;
  machine.fill(topology);
  topology.clear();
  use(machine);
}

}  // namespace bobbin
