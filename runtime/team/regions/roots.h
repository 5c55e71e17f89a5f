// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/icv.h"

// Kernel threads of the application become roots (team/model/root.h) when they first call into the
// runtime.
namespace bobbin {

// Once, at start-up.
void init_roots();

// Initialises what depends on the environment; idempotent. It is called only when the program first
// uses OpenMP, because until then the program may set variables. Python programs do so: they
// preload the library, and would have loaded their own OpenMP library no earlier than with the
// first module that needs it. Defined at the top of the runtime, bound when linking.
void init_runtime();

// For queries that a program may make before any of its threads has used OpenMP.
inline const GlobalIcvs& settled_icvs() {
  init_runtime();
  return global_icvs();
}

}  // namespace bobbin
