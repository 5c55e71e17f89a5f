// SPDX-License-Identifier: Apache-2.0
//
// The machine's processor tree, limited to the processors that this process may use. It is read on
// first use (hwloc, else /sys), because that costs milliseconds that most programs never need to
// spend.
#pragma once

#include "platform/processors/topology.h"

namespace bobbin {

// The tree of the processors in process_mask(). The first call, from any thread, does the work.
const Topology& topology();

// The paths in /sys. Tests use their own.
struct TopologyFiles {
  const char* cpu_directory = "/sys/devices/system/cpu";
  const char* node_directory = "/sys/devices/system/node";
  const char* slow_cores = "/sys/devices/cpu_atom/cpus";  // of Intel's hybrid processors
};

// The three ways to fill a topology with the processors of `mask`. The first two return false, and
// leave the topology alone, when they do not know about every processor. The flat one assumes
// nothing: each processor is a core, and all are in one package.
bool load_topology_from_hwloc(const CpuSet& mask, Topology& topology);
bool load_topology_from_sys(const CpuSet& mask, const TopologyFiles& files, Topology& topology);
void load_flat_topology(const CpuSet& mask, Topology& topology);

}  // namespace bobbin
