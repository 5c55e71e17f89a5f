// SPDX-License-Identifier: Apache-2.0
//
// `bobbin lab advise` preloads this library before every OpenMP runtime. It counts the threads that
// execute each parallel region, whatever runtime serves the region.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

// Returns the runtime's own function. `caller` is an address in the calling code.
void* real_function(const char* name, const void* caller);

struct Region {
  void* entry;  // the runtime's function that executes it
  bool outermost;
};

struct Region begin_region(const char* name, const void* caller);
void end_region(struct Region region, unsigned threads);
// For entry points after which the caller itself executes the region.
unsigned team_size(const void* caller);
