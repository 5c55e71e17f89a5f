// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"
#include "abi/export.h"
#include "construct/locks/critical.h"
#include "construct/locks/watched_locks.h"
#include "construct/tool_events.h"
#include "construct/worksharing/ordered.h"

using namespace bobbin;

BOBBIN_ENTRY void GOMP_critical_start() {
  lock_for(ompt_mutex_critical, unnamed_critical, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void GOMP_critical_end() {
  unlock_for(ompt_mutex_critical, unnamed_critical, BOBBIN_RETURN_ADDRESS);
}

// The compiler gives each name a pointer, zero at first. It has room for the lock itself.
BOBBIN_ENTRY void GOMP_critical_name_start(void** place) {
  lock_for(ompt_mutex_critical, *reinterpret_cast<Lock*>(place), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void GOMP_critical_name_end(void** place) {
  unlock_for(ompt_mutex_critical, *reinterpret_cast<Lock*>(place), BOBBIN_RETURN_ADDRESS);
}

BOBBIN_ENTRY void GOMP_atomic_start() {
  lock_for(ompt_mutex_atomic, atomic_fallback, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void GOMP_atomic_end() {
  unlock_for(ompt_mutex_atomic, atomic_fallback, BOBBIN_RETURN_ADDRESS);
}

// From GCC 17 on, called around the combining of a reduction.
BOBBIN_ALIAS(GOMP_atomic_start) void GOMP_reduction_start();
BOBBIN_ALIAS(GOMP_atomic_end) void GOMP_reduction_end();

BOBBIN_ENTRY void GOMP_ordered_start() { enter_ordered_for(self(), BOBBIN_RETURN_ADDRESS); }
BOBBIN_ENTRY void GOMP_ordered_end() { leave_ordered_for(self(), BOBBIN_RETURN_ADDRESS); }
