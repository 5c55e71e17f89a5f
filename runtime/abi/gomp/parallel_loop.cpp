// SPDX-License-Identifier: Apache-2.0
// parallel combined with a loop or with sections. The worksharing region is set up before the fork.
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/gomp/clauses.h"
#include "abi/gomp/loop_call.h"
#include "construct/worksharing/sections.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

using Function = void (*)(void*);

void parallel_loop(Function function, void* data, unsigned num_threads, const LoopBounds& bounds,
                   const LoopSchedule& schedule, unsigned flags) {
  parallel_with(function, data, decode_parallel(num_threads, flags),
                [&](Team& team) { prepare_loop(team, bounds, schedule); });
}

// Before GCC 4.9: the program calls the function itself, then GOMP_parallel_end.
void begin_parallel_loop(Function function, void* data, unsigned num_threads,
                         const LoopBounds& bounds, const LoopSchedule& schedule) {
  begin_parallel(function, data, decode_parallel(num_threads, 0),
                 [&](Team& team) { prepare_loop(team, bounds, schedule); });
}

void prepare_sections(Team& team, unsigned count) {
  prepare_share(team, [&](WorkShare& share) { set_up_sections(share, count); });
}

}  // namespace

BOBBIN_ENTRY void GOMP_parallel_loop_static(Function function, void* data, unsigned num_threads,
                                            long begin, long end, long step, long chunk,
                                            unsigned flags) {
  BOBBIN_CALL_SITE_OF(function);
  parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                static_schedule(chunk), flags);
}

BOBBIN_ENTRY void GOMP_parallel_loop_dynamic(Function function, void* data, unsigned num_threads,
                                             long begin, long end, long step, long chunk,
                                             unsigned flags) {
  BOBBIN_CALL_SITE_OF(function);
  parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                dynamic_schedule(chunk), flags);
}

BOBBIN_ALIAS(GOMP_parallel_loop_dynamic)
void GOMP_parallel_loop_nonmonotonic_dynamic(Function, void*, unsigned, long, long, long, long,
                                             unsigned);

BOBBIN_ENTRY void GOMP_parallel_loop_guided(Function function, void* data, unsigned num_threads,
                                            long begin, long end, long step, long chunk,
                                            unsigned flags) {
  BOBBIN_CALL_SITE_OF(function);
  parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                guided_schedule(chunk), flags);
}

BOBBIN_ALIAS(GOMP_parallel_loop_guided)
void GOMP_parallel_loop_nonmonotonic_guided(Function, void*, unsigned, long, long, long, long,
                                            unsigned);

BOBBIN_ENTRY void GOMP_parallel_loop_runtime(Function function, void* data, unsigned num_threads,
                                             long begin, long end, long step, unsigned flags) {
  BOBBIN_CALL_SITE_OF(function);
  parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                runtime_schedule(self()), flags);
}

BOBBIN_ALIAS(GOMP_parallel_loop_runtime)
void GOMP_parallel_loop_nonmonotonic_runtime(Function, void*, unsigned, long, long, long, unsigned);

BOBBIN_ALIAS(GOMP_parallel_loop_runtime)
void GOMP_parallel_loop_maybe_nonmonotonic_runtime(Function, void*, unsigned, long, long, long,
                                                   unsigned);

BOBBIN_ENTRY void GOMP_parallel_sections(Function function, void* data, unsigned num_threads,
                                         unsigned count, unsigned flags) {
  BOBBIN_CALL_SITE_OF(function);
  parallel_with(function, data, decode_parallel(num_threads, flags),
                [&](Team& team) { prepare_sections(team, count); });
}

BOBBIN_ENTRY void GOMP_parallel_loop_static_start(Function function, void* data,
                                                  unsigned num_threads, long begin, long end,
                                                  long step, long chunk) {
  BOBBIN_CALL_SITE_OF(function);
  begin_parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                      static_schedule(chunk));
}

BOBBIN_ENTRY void GOMP_parallel_loop_dynamic_start(Function function, void* data,
                                                   unsigned num_threads, long begin, long end,
                                                   long step, long chunk) {
  BOBBIN_CALL_SITE_OF(function);
  begin_parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                      dynamic_schedule(chunk));
}

BOBBIN_ENTRY void GOMP_parallel_loop_guided_start(Function function, void* data,
                                                  unsigned num_threads, long begin, long end,
                                                  long step, long chunk) {
  BOBBIN_CALL_SITE_OF(function);
  begin_parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                      guided_schedule(chunk));
}

BOBBIN_ENTRY void GOMP_parallel_loop_runtime_start(Function function, void* data,
                                                   unsigned num_threads, long begin, long end,
                                                   long step) {
  BOBBIN_CALL_SITE_OF(function);
  begin_parallel_loop(function, data, num_threads, LoopBounds::of(begin, end, step),
                      runtime_schedule(self()));
}

BOBBIN_ENTRY void GOMP_parallel_sections_start(Function function, void* data, unsigned num_threads,
                                               unsigned count) {
  BOBBIN_CALL_SITE_OF(function);
  begin_parallel(function, data, decode_parallel(num_threads, 0),
                 [&](Team& team) { prepare_sections(team, count); });
}
