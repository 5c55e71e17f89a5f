// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Has the program a garbage collector that stops threads by signals: Boehm's or Mono's? Each thread
// that is registered with it, and OpenMP threads may be, is sent one whose handler waits on the
// thread's own stack, and it gives up when one does not answer for a second: a fiber answers
// sometime only, if all processors are taken by threads that have.
//
// Asks the loader the first time.
bool collector_present();

}  // namespace bobbin
