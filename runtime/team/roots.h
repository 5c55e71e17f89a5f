// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/icv.h"

// Kernel threads of the application become roots (team/root.h) when they first call into the
// runtime.
namespace bobbin {

// Once, at start-up.
void init_roots();

// Settles what depends on the environment; idempotent. Only when the program first uses OpenMP, for
// until then it may set variables: Python programs do, which preload the library and would have
// loaded their own no earlier than with the first module that needs it. Answered by the top of the
// runtime, bound when linking.
void init_runtime();

// For what a program may ask before any of its threads has met OpenMP.
inline const GlobalIcvs& settled_icvs() {
  init_runtime();
  return global_icvs();
}

}  // namespace bobbin
