// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

enum class Predecessors {
  None,   // that have not completed
  Brief,  // and all that those wait for is brief, too
  Some,
};

}  // namespace bobbin
