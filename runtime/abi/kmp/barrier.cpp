// SPDX-License-Identifier: Apache-2.0
#include "team/barrier.h"

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/cancel.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY void __kmpc_barrier(const Ident*, int32_t) { barrier_wait(self()); }

// The barrier of a region that may have been cancelled. Not 0: it has, leave it.
BOBBIN_ENTRY int32_t __kmpc_cancel_barrier(const Ident*, int32_t) {
  return cancellable_barrier(self()) ? 1 : 0;
}
