// SPDX-License-Identifier: Apache-2.0
// Regions whose tasks a runtime may record when it first meets them and replay from then on: the
// experimental entry points of libomp, from 17 on, which no released compiler calls.
//
// Here the region is executed each time, for to replay its tasks is not safe by these calls. A task
// keeps the addresses of what it shares, of the frame that first executed the region; its private
// copies are not trivial to copy, or destroyed by its end, and there is no function to make them
// anew. (What replaces these entry points in LLVM's sources hands over functions for both.)
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/task_reduction.h"

using namespace bobbin;
using namespace bobbin::kmp;

// 1: the program is to execute the region. Its tasks have completed at its end, as with a runtime
// that records.
BOBBIN_ENTRY int32_t __kmpc_start_record_task(const Ident*, int32_t, int32_t /*flags*/,
                                              int32_t /*graph*/) {
  taskgroup_begin(self());
  return 1;
}

BOBBIN_ENTRY void __kmpc_end_record_task(const Ident*, int32_t, int32_t /*flags*/,
                                         int32_t /*graph*/) {
  end_reducing_taskgroup(self());
}
