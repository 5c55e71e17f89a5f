// SPDX-License-Identifier: Apache-2.0
#include "team/members/barrier.h"
#include "abi/call_site.h"

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "team/model/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

int32_t is_primary(const Thread& thread) { return thread.member->num == 0 ? 1 : 0; }

}  // namespace

BOBBIN_ENTRY void __kmpc_barrier(const Ident* place, int32_t) {
  BOBBIN_CALL_SITE;
  barrier_wait(self(), barrier_kind(place));
}

// Two barriers around code that only the primary thread executes. That thread gets 1, and ends the
// code with the call below. The others return when it has done so.
BOBBIN_ENTRY int32_t __kmpc_barrier_master(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  barrier_wait(thread);
  if (is_primary(thread) == 0) barrier_wait(thread);
  return is_primary(thread);
}
BOBBIN_ENTRY void __kmpc_end_barrier_master(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  barrier_wait(self());
}

BOBBIN_ENTRY int32_t __kmpc_barrier_master_nowait(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  barrier_wait(thread);
  return is_primary(thread);
}
