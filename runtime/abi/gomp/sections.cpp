// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/sections.h"
#include "abi/call_site.h"

#include "abi/export.h"
#include "construct/cancel.h"

using namespace bobbin;

BOBBIN_ENTRY unsigned GOMP_sections_start(unsigned count) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  enter_sections(thread, count, {});
  return next_section(thread);
}

BOBBIN_ENTRY unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  enter_sections(thread, count, {reductions, memory});
  return next_section(thread);
}

BOBBIN_ENTRY unsigned GOMP_sections_next() {
  BOBBIN_CALL_SITE;
  return next_section(self());
}

BOBBIN_ENTRY void GOMP_sections_end() {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  leave_work(thread);
  barrier_wait(thread, ompt_sync_region_barrier_implicit_workshare);
}

BOBBIN_ENTRY bool GOMP_sections_end_cancel() {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  leave_work(thread);
  return cancellable_barrier(thread, ompt_sync_region_barrier_implicit_workshare);
}

BOBBIN_ENTRY void GOMP_sections_end_nowait() {
  BOBBIN_CALL_SITE;
  leave_work(self());
}
