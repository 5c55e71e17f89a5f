// SPDX-License-Identifier: Apache-2.0
//
// KMP_HW_SUBSET: how much to use of each level of the machine's tree, as in "1s,4c@2,1t".
#pragma once

#include <string_view>

#include "env/syntax/place_syntax.h"
#include "platform/processors/cpu_set.h"
#include "platform/processors/topology.h"

namespace bobbin {

struct HwSubset {
  static constexpr unsigned kLevels = 5;
  static constexpr unsigned kAll = ~0U;

  struct Level {
    bool given = false;
    unsigned count = kAll;  // how many in each unit of the nearest given level above
    unsigned offset = 0;    // how many to skip first
  };
  // A level that is not given counts as all of its units. With a colon in front, such levels do not
  // exist, so that ":2t" is two threads of the machine and not of each core.
  bool only_given = false;
  // From the outside to the inside: sockets, NUMA domains, last-level caches, cores, threads.
  Level levels[kLevels];
};

bool parse_hw_subset(std::string_view text, HwSubset& subset);

// The processors of the tree that belong to the subset; false when there are fewer than requested.
bool select_processors(const HwSubset& subset, const Topology& tree, CpuSet& chosen);

// Narrows the process to the subset of its processors, at start-up. If that is not possible, leaves
// everything unchanged and returns the reason.
const char* confine_to_hw_subset(const char* text);

}  // namespace bobbin
