// SPDX-License-Identifier: Apache-2.0
#include "construct/parallel.h"
#include "abi/export.h"
#include "abi/gomp/clauses.h"
#include "team/barrier.h"

using namespace bobbin;

BOBBIN_ENTRY void GOMP_parallel(void (*function)(void*), void* data, unsigned num_threads,
                                unsigned flags) {
  parallel(function, data, decode_parallel(num_threads, flags));
}

// Before GCC 4.9: the compiler's code calls the function itself, between these two calls.
BOBBIN_ENTRY void GOMP_parallel_start(void (*function)(void*), void* data, unsigned num_threads) {
  begin_parallel(function, data, decode_parallel(num_threads, 0), [](Team&) {});
}

BOBBIN_ENTRY void GOMP_parallel_end() { end_parallel(); }

BOBBIN_ENTRY void GOMP_barrier() { barrier_wait(self()); }

// From GCC 17 on. The argument is for tools: 0 at the end of a parallel region, 1 at the end of a
// worksharing construct, 2 for a barrier construct.
BOBBIN_ENTRY void GOMP_barrier_ext(int) { barrier_wait(self()); }
