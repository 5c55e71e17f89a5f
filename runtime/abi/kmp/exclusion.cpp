// SPDX-License-Identifier: Apache-2.0
// critical, ordered, master and masked, flush.
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/critical_name.h"
#include "abi/kmp/ident.h"
#include "construct/locks/watched_locks.h"
#include "construct/tool_events.h"
#include "construct/worksharing/ordered.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY void __kmpc_critical(const Ident*, int32_t, CriticalName* name) {
  lock_for(ompt_mutex_critical, name->section_lock(), BOBBIN_RETURN_ADDRESS);
}

// Hints change nothing: every lock adapts.
BOBBIN_ENTRY void __kmpc_critical_with_hint(const Ident*, int32_t, CriticalName* name, uint32_t) {
  lock_for(ompt_mutex_critical, name->section_lock(), BOBBIN_RETURN_ADDRESS);
}

BOBBIN_ENTRY void __kmpc_end_critical(const Ident*, int32_t, CriticalName* name) {
  unlock_for(ompt_mutex_critical, name->section_lock(), BOBBIN_RETURN_ADDRESS);
}

BOBBIN_ENTRY void __kmpc_ordered(const Ident*, int32_t) {
  enter_ordered_for(self(), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_end_ordered(const Ident*, int32_t) {
  leave_ordered_for(self(), BOBBIN_RETURN_ADDRESS);
}

namespace {

int32_t enter_masked(int32_t filter) {
  Thread& thread = self();
  const bool executes = static_cast<int32_t>(thread.member->num) == filter;
  if (tool::watched && executes) [[unlikely]]
    tell_masked(thread, ompt_scope_begin);
  return executes ? 1 : 0;
}

void flush() {
  fence(seq_cst);
  if (tool::watched) [[unlikely]]
    tell_flush(self());
}

}  // namespace

BOBBIN_ENTRY int32_t __kmpc_master(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  return enter_masked(0);
}
BOBBIN_ENTRY int32_t __kmpc_masked(const Ident*, int32_t, int32_t filter) {
  BOBBIN_CALL_SITE;
  return enter_masked(filter);
}
BOBBIN_ENTRY void __kmpc_end_masked(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_masked(self(), ompt_scope_end);
}
BOBBIN_ALIAS(__kmpc_end_masked) void __kmpc_end_master(const Ident*, int32_t);

BOBBIN_ENTRY void __kmpc_flush(const Ident*, ...) {
  BOBBIN_CALL_SITE;
  flush();
}
BOBBIN_ENTRY void __kmpc_flush_explicit(const Ident*, int32_t, int32_t) {
  BOBBIN_CALL_SITE;
  flush();
}
