// SPDX-License-Identifier: Apache-2.0
//
// The machine's tree, as far as this process may use it. Found out on first use (hwloc, else /sys),
// because it costs milliseconds that most programs never need to spend.
#pragma once

#include "platform/topology.h"

namespace bobbin {

// Of the processors in process_mask(). The first call, from any thread, does the work.
const Topology& topology();

// Where /sys is; tests have their own.
struct TopologyFiles {
  const char* cpu_directory = "/sys/devices/system/cpu";
  const char* node_directory = "/sys/devices/system/node";
};

// The three ways to fill a topology with the processors of `mask`. The first two return false, and
// leave it alone, when they cannot tell for every one of them. Flat: nothing is known, each
// processor is a core, all in one package.
bool load_topology_from_hwloc(const CpuSet& mask, Topology& topology);
bool load_topology_from_sys(const CpuSet& mask, const TopologyFiles& files, Topology& topology);
void load_flat_topology(const CpuSet& mask, Topology& topology);

}  // namespace bobbin
