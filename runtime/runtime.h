// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Start-up of the library, in the order of the layers; idempotent. Called by the library's
// initialiser, and by whoever comes earlier (a region in a static constructor of a program whose
// libraries are initialised before this one).
void init_runtime();

}  // namespace bobbin
