// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "construct/critical.h"
#include "construct/ordered.h"

using namespace bobbin;

BOBBIN_ENTRY void GOMP_critical_start() { unnamed_critical.lock(); }
BOBBIN_ENTRY void GOMP_critical_end() { unnamed_critical.unlock(); }

// The compiler gives each name a pointer, zero at first. It has room for the lock itself.
BOBBIN_ENTRY void GOMP_critical_name_start(void** place) { reinterpret_cast<Lock*>(place)->lock(); }
BOBBIN_ENTRY void GOMP_critical_name_end(void** place) { reinterpret_cast<Lock*>(place)->unlock(); }

BOBBIN_ENTRY void GOMP_atomic_start() { atomic_fallback.lock(); }
BOBBIN_ENTRY void GOMP_atomic_end() { atomic_fallback.unlock(); }

// From GCC 17 on, called around the combining of a reduction.
BOBBIN_ALIAS(GOMP_atomic_start) void GOMP_reduction_start();
BOBBIN_ALIAS(GOMP_atomic_end) void GOMP_reduction_end();

BOBBIN_ENTRY void GOMP_ordered_start() { enter_ordered(self()); }
BOBBIN_ENTRY void GOMP_ordered_end() { leave_ordered(self()); }
