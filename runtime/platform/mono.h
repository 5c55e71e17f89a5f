// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Is Mono in the program? When the program ends, Mono 6.8 waits for ever for fibers that have
// called into it. It does not wait for kernel threads.
//
// Asks the loader the first time.
bool mono_present();

}  // namespace bobbin
