// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/machine_topology.h"

#include "platform/memory/first_use.h"
#include "platform/processors/processors.h"
#include "platform/processors/topology_builder.h"

namespace bobbin {
namespace {

constinit FirstUse<Topology> machine;

void load_machine(Topology& topology) {
  const CpuSet& mask = process_mask();
  if (load_topology_from_hwloc(mask, topology)) return;
  if (load_topology_from_sys(mask, TopologyFiles{}, topology)) return;
  load_flat_topology(mask, topology);
}

}  // namespace

void load_flat_topology(const CpuSet& mask, Topology& topology) {
  TopologyBuilder builder(mask.count());
  if (builder.processors == nullptr) return;
  mask.each([&](unsigned cpu) {
    Processor processor;
    processor.cpu = cpu;
    processor.core = cpu;
    builder.add(processor);
  });
  builder.finish(topology);
}

const Topology& topology() { return machine.get(load_machine); }

}  // namespace bobbin
