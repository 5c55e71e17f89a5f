// SPDX-License-Identifier: Apache-2.0
// critical, ordered, master and masked, flush.
#include "abi/export.h"
#include "abi/kmp/critical_name.h"
#include "abi/kmp/ident.h"
#include "construct/ordered.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY void __kmpc_critical(const Ident*, int32_t, CriticalName* name) {
  name->section_lock().lock();
}

// Hints change nothing: every lock adapts.
BOBBIN_ENTRY void __kmpc_critical_with_hint(const Ident*, int32_t, CriticalName* name, uint32_t) {
  name->section_lock().lock();
}

BOBBIN_ENTRY void __kmpc_end_critical(const Ident*, int32_t, CriticalName* name) {
  name->section_lock().unlock();
}

BOBBIN_ENTRY void __kmpc_ordered(const Ident*, int32_t) { enter_ordered(self()); }
BOBBIN_ENTRY void __kmpc_end_ordered(const Ident*, int32_t) { leave_ordered(self()); }

BOBBIN_ENTRY int32_t __kmpc_master(const Ident*, int32_t) {
  return self().member->num == 0 ? 1 : 0;
}
BOBBIN_ENTRY void __kmpc_end_master(const Ident*, int32_t) {}

BOBBIN_ENTRY int32_t __kmpc_masked(const Ident*, int32_t, int32_t filter) {
  return static_cast<int32_t>(self().member->num) == filter ? 1 : 0;
}
BOBBIN_ENTRY void __kmpc_end_masked(const Ident*, int32_t) {}

BOBBIN_ENTRY void __kmpc_flush(const Ident*, ...) { fence(seq_cst); }
BOBBIN_ENTRY void __kmpc_flush_explicit(const Ident*, int32_t, int32_t) { fence(seq_cst); }
