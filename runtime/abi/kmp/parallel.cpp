// SPDX-License-Identifier: Apache-2.0
#include "construct/parallel.h"

#include <alloca.h>

#include "abi/export.h"
#include "abi/kmp/clauses.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/microtask.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace bobbin::kmp {

ParallelClauses& pushed_clauses() {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local ParallelClauses pushed;
  return pushed;
}

}  // namespace bobbin::kmp

BOBBIN_ENTRY void __kmpc_push_num_threads(const Ident*, int32_t, int32_t count) {
  pushed_clauses().num_threads = count > 0 ? static_cast<unsigned>(count) : 0;
}

BOBBIN_ENTRY void __kmpc_push_proc_bind(const Ident*, int32_t, int32_t bind) {
  // omp_proc_bind_t; beyond it are values that stand for no clause.
  if (bind < 0 || bind > static_cast<int32_t>(ProcBind::Spread)) return;
  ParallelClauses& pushed = pushed_clauses();
  pushed.bind = static_cast<ProcBind>(bind);
  pushed.has_bind = true;
}

BOBBIN_ENTRY void __kmpc_fork_call(const Ident*, int32_t count, Microtask microtask, ...) {
  auto arguments = static_cast<unsigned>(count);
  MicrotaskCall call{microtask,
                     static_cast<void**>(alloca(argument_room(arguments) * sizeof(void*)))};
  va_list list;
  va_start(list, microtask);
  collect_arguments(call.arguments, arguments, list);
  va_end(list);
  parallel(microtask_caller(arguments), &call, take_clauses());
}

namespace {

void begin_serialized() {
  ParallelClauses clauses = take_clauses();
  clauses.active = false;
  begin_parallel(nullptr, nullptr, clauses, [](Team&) {});
}

}  // namespace

// A false if clause: the program executes the region itself, between the two.
BOBBIN_ENTRY void __kmpc_serialized_parallel(const Ident*, int32_t) { begin_serialized(); }
BOBBIN_ENTRY void __kmpc_end_serialized_parallel(const Ident*, int32_t) { end_parallel(); }

// All variables in one block, of which `data` is the address; null if there are none.
BOBBIN_ENTRY void __kmpc_fork_call_if(const Ident*, int32_t count, Microtask microtask,
                                      int32_t condition, void* data) {
  auto arguments = static_cast<unsigned>(count);
  MicrotaskCall call{microtask,
                     static_cast<void**>(alloca(argument_room(arguments) * sizeof(void*)))};
  call.arguments[0] = data;
  ParallelClauses clauses = take_clauses();
  clauses.active = condition != 0;
  parallel(microtask_caller(arguments), &call, clauses);
}
