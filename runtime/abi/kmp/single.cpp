// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/single.h"
#include "abi/call_site.h"

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/tool_events.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY int32_t __kmpc_single(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  return begin_single(self()) ? 1 : 0;
}
BOBBIN_ENTRY void __kmpc_end_single(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  end_single();
}

// Called by all threads after the region, with their own lists of variables. `executed`: the
// calling thread has executed it.
BOBBIN_ENTRY void __kmpc_copyprivate(const Ident*, int32_t, size_t, void* data,
                                     void (*copy)(void* to, void* from), int32_t executed) {
  BOBBIN_CALL_SITE;
  share_copyprivate(self(), data, copy, executed != 0);
}

// Returns the list of the thread that has executed the region, whose `data` is not null. The
// program copies by itself, and has a barrier after it.
BOBBIN_ENTRY void* __kmpc_copyprivate_light(const Ident*, int32_t, void* data) {
  BOBBIN_CALL_SITE;
  return exchange_copyprivate(self(), data);
}

// The scope construct: these calls are for tools.
BOBBIN_ENTRY void __kmpc_scope(const Ident*, int32_t, void*) {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_work(self(), ompt_work_scope, ompt_scope_begin, 1);
}
BOBBIN_ENTRY void __kmpc_end_scope(const Ident*, int32_t, void*) {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_work(self(), ompt_work_scope, ompt_scope_end, 1);
}
