// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/processors/topology_builder.h"

namespace bobbin {

// Two packages of two cores of two threads. The threads of a core are 4 apart, as usual.
inline const Topology& fake_tree() {
  static Topology tree;
  if (tree.count() == 0) {
    TopologyBuilder builder(8);
    for (unsigned cpu = 0; cpu < 8; ++cpu) {
      const unsigned core = cpu % 4;
      builder.add({cpu, core, core / 2, core / 2, core / 2});
    }
    builder.finish(tree);
  }
  return tree;
}

}  // namespace bobbin
