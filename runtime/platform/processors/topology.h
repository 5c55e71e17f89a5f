// SPDX-License-Identifier: Apache-2.0
//
// A tree of processors: which of them share a core, a last-level cache, a NUMA node, a package.
#pragma once

#include "platform/processors/cpu_set.h"

namespace bobbin {

// A logical processor. The group numbers are dense, machine-wide, and ascend along the list.
struct Processor {
  unsigned cpu = 0;  // the kernel's number
  unsigned core = 0;
  unsigned cache = 0;  // the processors that share a last-level cache
  unsigned numa = 0;
  unsigned package = 0;
  unsigned speed = 0;  // among the machine's kinds of cores: a faster kind has a larger number
};

class Topology {
 public:
  Topology() = default;
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  // Not a destructor, because the machine's topology outlives everything, exit included.
  void clear();

  unsigned count() const { return count_; }

  // Processors in the tree's order: those of one core are adjacent, those of one cache, and so on.
  const Processor& operator[](unsigned index) const { return processors_[index]; }

  // The index of a kernel's processor number in the list; count() if it is not there.
  unsigned index_of(unsigned cpu) const;

 private:
  friend struct TopologyBuilder;

  Processor* processors_ = nullptr;
  unsigned count_ = 0;
};

}  // namespace bobbin
