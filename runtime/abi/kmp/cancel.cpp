// SPDX-License-Identifier: Apache-2.0
#include "construct/cancel.h"
#include "abi/call_site.h"

#include "abi/export.h"
#include "abi/kmp/ident.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// Kinds of regions.
enum Region : int32_t { kParallel = 1, kLoop = 2, kSections = 3, kTaskgroup = 4 };

Cancellable decode_region(int32_t kind) {
  switch (kind) {
    case kTaskgroup:
      return Cancellable::Taskgroup;
    case kParallel:
      return Cancellable::Parallel;
    case kSections:
      return Cancellable::Sections;
    default:
      return Cancellable::Loop;
  }
}

int32_t cancelled(int32_t kind) { return is_cancelled(self(), decode_region(kind)) ? 1 : 0; }

}  // namespace

BOBBIN_ENTRY int32_t __kmpc_cancel(const Ident*, int32_t, int32_t kind) {
  BOBBIN_CALL_SITE;
  return cancel(self(), decode_region(kind)) ? 1 : 0;
}

BOBBIN_ENTRY int32_t __kmpc_cancellationpoint(const Ident*, int32_t, int32_t kind) {
  BOBBIN_CALL_SITE;
  return cancelled(kind);
}

BOBBIN_ENTRY int kmp_get_cancellation_status(int kind) {
  return kind >= kParallel && kind <= kTaskgroup ? cancelled(kind) : 0;
}
BOBBIN_ENTRY int kmp_get_cancellation_status_(const int* kind) {
  return kmp_get_cancellation_status(*kind);
}

BOBBIN_ENTRY int32_t __kmpc_cancel_barrier(const Ident* place, int32_t) {
  BOBBIN_CALL_SITE;
  return cancellable_barrier(self(), barrier_kind(place)) ? 1 : 0;
}
