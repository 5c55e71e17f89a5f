// SPDX-License-Identifier: Apache-2.0
#include "simulator/machine.h"

#include <cstdlib>
#include <stdexcept>

#include "platform/processors/machine_topology.h"

namespace bobbin::simulator {

Machine::Machine(const std::string& description, unsigned processors) : processors_(processors) {
  const bool is_file = description.ends_with(".xml");
  setenv(is_file ? "HWLOC_XMLFILE" : "HWLOC_SYNTHETIC", description.c_str(), 1);
  CpuSet mask;
  for (unsigned cpu = 0; cpu < processors; cpu++) mask.add(cpu);
  Topology topology;
  if (!load_topology_from_hwloc(mask, topology)) {
    throw std::runtime_error("hwloc does not know a machine `" + description + "` with " +
                             std::to_string(processors) + " processors");
  }
  for (unsigned i = 0; i < processors; i++) {
    numbers_.push_back(static_cast<int>(topology[i].cpu));
  }
  distance_.fill(topology);
  topology.clear();
}

Machine::~Machine() { distance_.clear(); }

}  // namespace bobbin::simulator
