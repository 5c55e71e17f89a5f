// SPDX-License-Identifier: Apache-2.0
#include "construct/cancel.h"

#include "abi/export.h"
#include "abi/kmp/ident.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// 1: parallel, 2: loop, 3: sections, 4: taskgroup.
Cancellable decode_region(int32_t kind) {
  if (kind == 4) return Cancellable::Taskgroup;
  return kind == 1 ? Cancellable::Parallel : Cancellable::WorkShare;
}

}  // namespace

BOBBIN_ENTRY int32_t __kmpc_cancel(const Ident*, int32_t, int32_t kind) {
  return cancel(self(), decode_region(kind)) ? 1 : 0;
}

BOBBIN_ENTRY int32_t __kmpc_cancellationpoint(const Ident*, int32_t, int32_t kind) {
  return is_cancelled(self(), decode_region(kind)) ? 1 : 0;
}

BOBBIN_ENTRY int32_t __kmpc_cancel_barrier(const Ident*, int32_t) {
  return cancellable_barrier(self()) ? 1 : 0;
}
