// SPDX-License-Identifier: Apache-2.0
#include "construct/cancel.h"
#include "abi/call_site.h"

#include "abi/export.h"

using namespace bobbin;

namespace {

// 1: parallel, 2: loop, 4: sections, 8: taskgroup.
Cancellable decode_region(int which) {
  if ((which & 2) != 0) return Cancellable::Loop;
  if ((which & 4) != 0) return Cancellable::Sections;
  return (which & 8) != 0 ? Cancellable::Taskgroup : Cancellable::Parallel;
}

}  // namespace

BOBBIN_ENTRY bool GOMP_cancel(int which, bool condition) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  Cancellable region = decode_region(which);
  return condition ? cancel(thread, region) : is_cancelled(thread, region);
}

BOBBIN_ENTRY bool GOMP_cancellation_point(int which) {
  BOBBIN_CALL_SITE;
  return is_cancelled(self(), decode_region(which));
}

BOBBIN_ENTRY bool GOMP_barrier_cancel() {
  BOBBIN_CALL_SITE;
  return cancellable_barrier(self(), ompt_sync_region_barrier_explicit);
}
// See GOMP_barrier_ext.
BOBBIN_ENTRY bool GOMP_barrier_cancel_ext(int) {
  BOBBIN_CALL_SITE;
  return cancellable_barrier(self(), ompt_sync_region_barrier_explicit);
}
