// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/affinity_format.h"

namespace bobbin {

// What the affinity format can say about the calling thread.
AffinityFields affinity_fields();

}  // namespace bobbin
