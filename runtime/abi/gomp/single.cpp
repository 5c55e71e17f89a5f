// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/single.h"
#include "abi/call_site.h"

#include "abi/export.h"
#include "construct/tool_events.h"
#include "construct/worksharing/scope.h"

using namespace bobbin;

namespace {

bool executes_masked(int filter) { return self().member->num == static_cast<unsigned>(filter); }

}  // namespace

// The program does not say where the region ends, so for a tool it ends at once.
BOBBIN_ENTRY bool GOMP_single_start() {
  BOBBIN_CALL_SITE;
  const bool executes = begin_single(self());
  if (executes) end_single();
  return executes;
}
BOBBIN_ENTRY void* GOMP_single_copy_start() {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  void* given = begin_copyprivate(thread);
  if (tool::watched) [[unlikely]]
    tell_single_begin(thread, given == nullptr);
  return given;
}
BOBBIN_ENTRY void GOMP_single_copy_end(void* data) {
  BOBBIN_CALL_SITE;
  end_single();
  end_copyprivate(self(), data);
}

BOBBIN_ENTRY void GOMP_scope_start(uintptr_t* reductions) {
  BOBBIN_CALL_SITE;
  enter_scope(self(), reductions);
}

// From GCC 17 on.
BOBBIN_ENTRY bool GOMP_has_masked_thread_num(int filter) { return executes_masked(filter); }

// With -fopenmp-ompt the program also says where these regions end.
BOBBIN_ENTRY bool GOMP_single_start_with_end() {
  BOBBIN_CALL_SITE;
  return begin_single(self());
}
BOBBIN_ENTRY void GOMP_single_end() {
  BOBBIN_CALL_SITE;
  end_single();
}
BOBBIN_ENTRY void GOMP_scope_start_with_end(uintptr_t* reductions) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  if (tool::watched) [[unlikely]]
    tell_work(thread, ompt_work_scope, ompt_scope_begin, 1);
  enter_scope(thread, reductions);
}
BOBBIN_ENTRY void GOMP_scope_end() {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_work(self(), ompt_work_scope, ompt_scope_end, 1);
}
BOBBIN_ENTRY bool GOMP_has_masked_thread_num_with_end(int filter) {
  BOBBIN_CALL_SITE;
  const bool executes = executes_masked(filter);
  if (tool::watched && executes) [[unlikely]]
    tell_masked(self(), ompt_scope_begin);
  return executes;
}
BOBBIN_ENTRY void GOMP_masked_end() {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_masked(self(), ompt_scope_end);
}
