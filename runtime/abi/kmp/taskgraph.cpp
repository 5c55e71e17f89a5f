// SPDX-License-Identifier: Apache-2.0
// Regions whose tasks a runtime may record at the first execution and replay later: the
// experimental entry points of libomp, from 17 on. No released compiler calls them.
//
// Here the region is executed each time, because these calls do not allow to replay its tasks
// safely. A task keeps the addresses of its shared variables, in the frame that first executed the
// region. Its private copies are not trivial to copy, or its end destroys them, and there is no
// function to make them again. (The entry points that replace these in LLVM's sources pass
// functions for both.)
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/task_reduction.h"

using namespace bobbin;
using namespace bobbin::kmp;

// 1: the program must execute the region. Its tasks have completed at its end, as with a runtime
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
