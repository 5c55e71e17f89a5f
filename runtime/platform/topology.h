// SPDX-License-Identifier: Apache-2.0
//
// The machine's tree, as far as this process may use it: which processors share a core, a
// last-level cache, a NUMA node, a package. Found out on first use (hwloc, else /sys), because it
// costs milliseconds that most programs never need to spend.
#pragma once

#include "platform/cpu_set.h"

namespace bobbin {

// A logical processor. The group numbers are dense, machine-wide, and ascend along the list.
struct Processor {
  unsigned cpu = 0;  // the kernel's number
  unsigned core = 0;
  unsigned cache = 0;  // the processors that share a last-level cache
  unsigned numa = 0;
  unsigned package = 0;
};

class Topology {
 public:
  Topology() = default;
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  // Not a destructor: the machine's topology outlives everything, exit included.
  void clear();

  unsigned count() const { return count_; }

  // Processors in the tree's order: those of one core are neighbours, those of one cache, and so
  // on.
  const Processor& operator[](unsigned index) const { return processors_[index]; }

  // The place of a kernel's processor number in the list; count() if it is not there.
  unsigned index_of(unsigned cpu) const;

 private:
  friend struct TopologyBuilder;

  Processor* processors_ = nullptr;
  unsigned count_ = 0;
};

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
