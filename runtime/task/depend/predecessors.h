// SPDX-License-Identifier: Apache-2.0
// What is known of the predecessors that a task would have.
#pragma once

namespace bobbin {

enum class Predecessors {
  None,   // all have completed
  Brief,  // those that have not are brief, and so is all that they wait for
  Some,
};

}  // namespace bobbin
