// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/parallel.h"
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/gomp/clauses.h"
#include "team/members/barrier.h"

using namespace bobbin;

BOBBIN_ENTRY void GOMP_parallel(void (*function)(void*), void* data, unsigned num_threads,
                                unsigned flags) {
  BOBBIN_CALL_SITE_OF(function);
  parallel(function, data, decode_parallel(num_threads, flags));
}

// Before GCC 4.9: the compiler's code calls the function itself, between these two calls.
BOBBIN_ENTRY void GOMP_parallel_start(void (*function)(void*), void* data, unsigned num_threads) {
  BOBBIN_CALL_SITE_OF(function);
  begin_parallel(function, data, decode_parallel(num_threads, 0), [](Team&) {});
}

BOBBIN_ENTRY void GOMP_parallel_end() { end_parallel(); }

BOBBIN_ENTRY void GOMP_barrier() {
  BOBBIN_CALL_SITE;
  barrier_wait(self(), ompt_sync_region_barrier_explicit);
}

// From GCC 17 on. The argument is for tools: 0 at the end of a parallel region, 1 at the end of a
// worksharing construct, 2 for a barrier construct.
BOBBIN_ENTRY void GOMP_barrier_ext(int kind) {
  BOBBIN_CALL_SITE;
  barrier_wait(self(), kind == 2 ? ompt_sync_region_barrier_explicit
                                 : ompt_sync_region_barrier_implicit_workshare);
}
