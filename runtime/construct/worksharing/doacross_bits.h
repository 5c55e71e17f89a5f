// SPDX-License-Identifier: Apache-2.0
// Doacross dependences for programs that describe the loop nest before they say how it is
// scheduled. The runtime does not know which thread executes which iteration in which order, so
// each iteration has a bit of its own. (LLVM's ABI. See construct/worksharing/doacross.h for the
// other way.)
//
//   post   sets the bit (release), then wakes the threads that wait for this iteration (Dekker
//          with wait_on, see construct/wait_address.h)
//   wait   reads the bit (acquire)
//
// The bits have a worksharing region's record of their own, around that of the loop.
#pragma once

#include <cstdint>

#include "team/model/thread.h"

namespace bobbin {

// One loop of the nest: from `lower` to `upper`, both included.
struct DoacrossDimension {
  int64_t lower;
  int64_t upper;
  int64_t step;
};

void enter_doacross(Thread& thread, unsigned dimensions, const DoacrossDimension* nest);
// The values of an iteration's loop variables, the outermost first, name it. A wait for an
// iteration that is not in the nest returns at once.
void doacross_post_iteration(Thread& thread, const int64_t* values);
void doacross_wait_iteration(Thread& thread, const int64_t* values);
void leave_doacross(Thread& thread);

}  // namespace bobbin
