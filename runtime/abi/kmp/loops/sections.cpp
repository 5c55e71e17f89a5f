// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/sections.h"
#include "abi/call_site.h"

#include <climits>

#include "abi/export.h"
#include "abi/kmp/ident.h"

using namespace bobbin;
using namespace bobbin::kmp;

// All threads pass the number of sections later.
BOBBIN_ENTRY int32_t __kmpc_sections_init(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  leave_share(thread);
  enter_sections(thread, INT_MAX, {});
  return thread.member->team->serial() ? 0 : 1;
}

// The section's number, from 0; `count` if none is left.
BOBBIN_ENTRY int32_t __kmpc_next_section(const Ident*, int32_t, int32_t count) {
  BOBBIN_CALL_SITE;
  auto section = static_cast<int32_t>(next_section(self())) - 1;
  return section < count ? section : count;
}

BOBBIN_ENTRY void __kmpc_end_sections(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  leave_work(self());
}
