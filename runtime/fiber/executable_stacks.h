// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Where a loaded object says that it needs executable stacks (PT_GNU_STACK), for trampolines of
// nested functions lie there (GNU C; internal procedures that Fortran passes as arguments), makes
// those of fibers so, as the C library does with those of its threads. Asks the loader.
void heed_executable_stacks();

}  // namespace bobbin
