// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// A loaded object may need executable stacks (PT_GNU_STACK) for trampolines of nested functions
// (GNU C; internal procedures that Fortran passes as arguments). If there is one, this makes the
// stacks of fibers executable, as the C library does with the stacks of its threads. Asks the
// loader.
void heed_executable_stacks();

}  // namespace bobbin
