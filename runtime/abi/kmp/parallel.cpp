// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/parallel.h"
#include "abi/call_site.h"

#include <alloca.h>

#include "abi/export.h"
#include "abi/kmp/clauses.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/microtask.h"
#include "platform/diagnostics.h"
#include "team/members/tool_events.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local PushedClauses pushed;

// The list, if `pushed` has one. It is separate, because few regions have one.
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadsList pushed_list;

// The clause replaces everything that an earlier clause has said: the construct of the earlier one
// was not reached.
void push_number(unsigned number) {
  pushed.num_threads = number;
  pushed.has_list = false;
  pushed.strict = false;
}

void push_list(uint32_t length, const int32_t* list) {
  push_number(length > 0 ? as_clause(list[0]) : 0);
  pushed.has_list = length > 1;
  static OnceFlag said;
  if (length > ThreadsList::kMost) {
    warn_once(said, "num_threads: of a list %u numbers count", ThreadsList::kMost);
    length = ThreadsList::kMost;
  }
  pushed_list.count = length;
  for (uint32_t i = 0; i < length; i++) {
    pushed_list.items[i] = list[i] > 0 ? static_cast<unsigned>(list[i]) : 1;
  }
}

void apply_list(Team& team) {
  team.threads_list = pushed_list;
  team.threads_list.level = team.level;
  team.icvs.threads_list = &team.threads_list;
  team.icvs.nthreads = team.threads_list.within(team.level);
}

void push_strict(int32_t severity, const char* message) {
  pushed.strict = true;
  pushed.severity = decode_severity(severity);
  pushed.message = message;
}

}  // namespace

namespace bobbin::kmp {

PushedClauses take_clauses() {
  PushedClauses taken = pushed;
  pushed = PushedClauses{};
  return taken;
}

void apply_clauses(const PushedClauses& clauses, Team& team) {
  if (clauses.has_list) [[unlikely]]
    apply_list(team);
  if (!clauses.strict || !clauses.active) return;
  require_threads(team, clauses.num_threads, clauses.severity, clauses.message);
}

}  // namespace bobbin::kmp

BOBBIN_ENTRY void __kmpc_push_num_threads(const Ident*, int32_t, int32_t count) {
  push_number(as_clause(count));
}

BOBBIN_ENTRY void __kmpc_push_num_threads_strict(const Ident*, int32_t, int32_t count,
                                                 int32_t severity, const char* message) {
  push_number(as_clause(count));
  push_strict(severity, message);
}

// One number for each level of nesting, from this one on.
BOBBIN_ENTRY void __kmpc_push_num_threads_list(const Ident*, int32_t, uint32_t length,
                                               const int32_t* list) {
  push_list(length, list);
}

BOBBIN_ENTRY void __kmpc_push_num_threads_list_strict(const Ident*, int32_t, uint32_t length,
                                                      const int32_t* list, int32_t severity,
                                                      const char* message) {
  push_list(length, list);
  push_strict(severity, message);
}

BOBBIN_ENTRY void __kmpc_pop_num_threads(const Ident*, int32_t) { push_number(0); }

BOBBIN_ENTRY void __kmpc_push_proc_bind(const Ident*, int32_t, int32_t bind) {
  // omp_proc_bind_t. Values outside its range mean: no clause.
  if (bind < 0 || bind > static_cast<int32_t>(ProcBind::Spread)) return;
  pushed.bind = static_cast<ProcBind>(bind);
  pushed.has_bind = true;
}

namespace {

void fork_call(unsigned arguments, MicrotaskCall& call, const PushedClauses& clauses) {
  parallel_with(microtask_caller(arguments), &call, clauses, [&](Team& team) {
    team.code = reinterpret_cast<const void*>(call.function);
    apply_clauses(clauses, team);
  });
}

}  // namespace

BOBBIN_ENTRY void __kmpc_fork_call(const Ident*, int32_t count, Microtask microtask, ...) {
  BOBBIN_CALL_SITE_OF(microtask);
  auto arguments = static_cast<unsigned>(count);
  MicrotaskCall& call = make_call(alloca(call_bytes(arguments)), microtask);
  va_list list;
  va_start(list, microtask);
  collect_arguments(call, arguments, list);
  va_end(list);
  fork_call(arguments, call, take_clauses());
}

namespace {

void begin_serialized() {
  PushedClauses clauses = take_clauses();
  clauses.active = false;
  begin_parallel(nullptr, nullptr, clauses, [&](Team& team) { apply_clauses(clauses, team); });
}

}  // namespace

// A false if clause: the program executes the region itself, between these two calls.
BOBBIN_ENTRY void __kmpc_serialized_parallel(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  begin_serialized();
  if (tool::watched) [[unlikely]] {
    set_exit_frame(self(), caller_frame(__builtin_frame_address(0)));
    call_site.keep();
  }
}
BOBBIN_ENTRY void __kmpc_end_serialized_parallel(const Ident*, int32_t) {
  end_parallel();
  if (tool::watched) [[unlikely]]
    CallSite::resume(self());
}

// All variables are in one block at `data`; null if there are none.
BOBBIN_ENTRY void __kmpc_fork_call_if(const Ident*, int32_t count, Microtask microtask,
                                      int32_t condition, void* data) {
  BOBBIN_CALL_SITE_OF(microtask);
  auto arguments = static_cast<unsigned>(count);
  MicrotaskCall& call = make_call(alloca(call_bytes(arguments)), microtask);
  call.arguments()[0] = data;
  PushedClauses clauses = take_clauses();
  clauses.active = condition != 0;
  fork_call(arguments, call, clauses);
}
