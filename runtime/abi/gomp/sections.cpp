// SPDX-License-Identifier: Apache-2.0
#include "construct/sections.h"

#include "abi/export.h"
#include "construct/cancel.h"

using namespace bobbin;

BOBBIN_ENTRY unsigned GOMP_sections_start(unsigned count) {
  Thread& thread = self();
  enter_sections(thread, count, {});
  return next_section(thread);
}

BOBBIN_ENTRY unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  Thread& thread = self();
  enter_sections(thread, count, {reductions, memory});
  return next_section(thread);
}

BOBBIN_ENTRY unsigned GOMP_sections_next() { return next_section(self()); }

BOBBIN_ENTRY void GOMP_sections_end() {
  Thread& thread = self();
  leave_share(thread);
  barrier_wait(thread);
}

BOBBIN_ENTRY bool GOMP_sections_end_cancel() {
  Thread& thread = self();
  leave_share(thread);
  return cancellable_barrier(thread);
}

BOBBIN_ENTRY void GOMP_sections_end_nowait() { leave_share(self()); }
