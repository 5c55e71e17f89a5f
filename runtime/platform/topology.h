// SPDX-License-Identifier: Apache-2.0
//
// The machine's tree, as far as this process may use it: which processors share a core, a
// last-level cache, a NUMA node, a package. Found out on first use (hwloc, else /sys), because it
// costs milliseconds that most programs never need to spend.
#pragma once

#include <string_view>

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

enum class TopologySource : unsigned char {
  Hwloc,
  Sys,
  Flat,  // nothing is known: each processor is a core, all in one package
};

class Topology {
 public:
  Topology() = default;
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  // Not a destructor: the machine's topology outlives everything, exit included.
  void clear();

  unsigned count() const { return count_; }
  TopologySource source() const { return source_; }

  // Processors in the tree's order: those of one core are neighbours, those of one cache, and so
  // on.
  const Processor& operator[](unsigned index) const { return processors_[index]; }

  // The place of a kernel's processor number in the list; count() if it is not there.
  unsigned index_of(unsigned cpu) const;

  // 0: the same core (or the same processor); larger means farther.
  unsigned distance(unsigned a, unsigned b) const {
    const Processor& p = processors_[a];
    const Processor& q = processors_[b];
    return (p.core != q.core ? 1U : 0U) | (p.cache != q.cache ? 2U : 0U) |
           (p.numa != q.numa ? 4U : 0U) | (p.package != q.package ? 8U : 0U);
  }

  // Writes the indices of all other processors to `order` (room for count() - 1), the nearest
  // first. Among equals it goes round from `from`, so that neighbours do not all begin at the same
  // victim.
  void nearest_order(unsigned from, unsigned* order) const;

 private:
  friend struct TopologyBuilder;

  Processor* processors_ = nullptr;
  unsigned count_ = 0;
  TopologySource source_ = TopologySource::Flat;
};

// Of the processors in process_mask(). The first call, from any thread, does the work.
const Topology& topology();
std::string_view topology_source_name(TopologySource source);

// Where /sys is; tests have their own.
struct TopologyFiles {
  const char* cpu_directory = "/sys/devices/system/cpu";
  const char* node_directory = "/sys/devices/system/node";
};

// The three ways to fill a topology with the processors of `mask`. The first two return false, and
// leave it alone, when they cannot tell for every one of them.
bool load_topology_from_hwloc(const CpuSet& mask, Topology& topology);
bool load_topology_from_sys(const CpuSet& mask, const TopologyFiles& files, Topology& topology);
void load_flat_topology(const CpuSet& mask, Topology& topology);

}  // namespace bobbin
