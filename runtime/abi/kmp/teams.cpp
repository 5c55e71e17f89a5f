// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/teams.h"
#include "abi/call_site.h"

#include <alloca.h>

#include "abi/export.h"
#include "abi/kmp/clauses.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/microtask.h"
#include "construct/regions/initial_region.h"
#include "task/model/icvs.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// Clauses of the calling thread's next teams construct.
[[gnu::tls_model("initial-exec")]] constinit thread_local TeamsClauses pushed;

}  // namespace

BOBBIN_ENTRY void __kmpc_push_num_teams(const Ident*, int32_t, int32_t teams, int32_t limit) {
  pushed = {as_clause(teams), as_clause(limit)};
}

// Requests as many teams as the upper bound allows.
BOBBIN_ENTRY void __kmpc_push_num_teams_51(const Ident*, int32_t, int32_t lower, int32_t upper,
                                           int32_t limit) {
  pushed = {as_clause(upper > lower ? upper : lower), as_clause(limit)};
}

// The thread_limit clause of a target region.
BOBBIN_ENTRY void __kmpc_set_thread_limit(const Ident*, int32_t, int32_t limit) {
  limit_threads(*IcvChange(), as_clause(limit));
}

BOBBIN_ENTRY void __kmpc_fork_teams(const Ident*, int32_t count, Microtask microtask, ...) {
  BOBBIN_CALL_SITE_OF(microtask);
  auto arguments = static_cast<unsigned>(count);
  MicrotaskCall& call = make_call(alloca(call_bytes(arguments)), microtask);
  va_list list;
  va_start(list, microtask);
  collect_arguments(call, arguments, list);
  va_end(list);
  TeamsClauses clauses = pushed;
  pushed = TeamsClauses{};
  run_teams(microtask_caller(arguments), &call, clauses);
}
