// SPDX-License-Identifier: Apache-2.0
//
// Preloaded before every OpenMP runtime by `bobbin lab advise`, this library counts the threads
// that execute each parallel region, whatever runtime it is that serves it.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

// The runtime's own function. `caller`: an address in the code that called.
void* real_function(const char* name, const void* caller);

struct Region {
  void* entry;  // the runtime's function that executes it
  bool outermost;
};

struct Region begin_region(const char* name, const void* caller);
void end_region(struct Region region, unsigned threads);
// For entry points after which the caller is in the region.
unsigned team_size(const void* caller);
