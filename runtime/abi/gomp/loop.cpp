// SPDX-License-Identifier: Apache-2.0
// Loops over long.
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/gomp/loop_call.h"
#include "construct/cancel.h"

using namespace bobbin;
using namespace bobbin::gomp;

BOBBIN_ENTRY bool GOMP_loop_static_start(long begin, long end, long step, long chunk, long* istart,
                                         long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), static_schedule(chunk), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_dynamic_start(long begin, long end, long step, long chunk, long* istart,
                                          long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), dynamic_schedule(chunk), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_dynamic_start)
bool GOMP_loop_nonmonotonic_dynamic_start(long, long, long, long, long*, long*);

BOBBIN_ENTRY bool GOMP_loop_guided_start(long begin, long end, long step, long chunk, long* istart,
                                         long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), guided_schedule(chunk), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_guided_start)
bool GOMP_loop_nonmonotonic_guided_start(long, long, long, long, long*, long*);

BOBBIN_ENTRY bool GOMP_loop_runtime_start(long begin, long end, long step, long* istart,
                                          long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), runtime_schedule(self()), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_runtime_start)
bool GOMP_loop_nonmonotonic_runtime_start(long, long, long, long*, long*);

BOBBIN_ALIAS(GOMP_loop_runtime_start)
bool GOMP_loop_maybe_nonmonotonic_runtime_start(long, long, long, long*, long*);

BOBBIN_ENTRY bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk,
                                  long* istart, long* iend, uintptr_t* reductions, void** memory) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  return start_loop_with(thread, LoopBounds::of(begin, end, step),
                         decode_schedule(thread, schedule, chunk), LoopOrder::None, istart, iend,
                         reductions, memory);
}

BOBBIN_ENTRY bool GOMP_loop_ordered_static_start(long begin, long end, long step, long chunk,
                                                 long* istart, long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), static_schedule(chunk), LoopOrder::Ordered,
                    istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ordered_dynamic_start(long begin, long end, long step, long chunk,
                                                  long* istart, long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), dynamic_schedule(chunk), LoopOrder::Ordered,
                    istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ordered_guided_start(long begin, long end, long step, long chunk,
                                                 long* istart, long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), guided_schedule(chunk), LoopOrder::Ordered,
                    istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ordered_runtime_start(long begin, long end, long step, long* istart,
                                                  long* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(begin, end, step), runtime_schedule(self()), LoopOrder::Ordered,
                    istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ordered_start(long begin, long end, long step, long schedule,
                                          long chunk, long* istart, long* iend,
                                          uintptr_t* reductions, void** memory) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  return start_loop_with(thread, LoopBounds::of(begin, end, step),
                         decode_schedule(thread, schedule, chunk), LoopOrder::Ordered, istart, iend,
                         reductions, memory);
}

// The loop's record knows the schedule, so one function serves all schedules.
BOBBIN_ENTRY bool GOMP_loop_runtime_next(long* istart, long* iend) {
  return next(self(), istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_static_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_dynamic_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_guided_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_nonmonotonic_dynamic_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_nonmonotonic_guided_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_nonmonotonic_runtime_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_maybe_nonmonotonic_runtime_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_ordered_static_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_ordered_dynamic_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_ordered_guided_next(long*, long*);
BOBBIN_ALIAS(GOMP_loop_runtime_next) bool GOMP_loop_ordered_runtime_next(long*, long*);

BOBBIN_ENTRY void GOMP_loop_end() {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  leave_work(thread);
  barrier_wait(thread, ompt_sync_region_barrier_implicit_workshare);
}

BOBBIN_ENTRY bool GOMP_loop_end_cancel() {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  leave_work(thread);
  return cancellable_barrier(thread, ompt_sync_region_barrier_implicit_workshare);
}

BOBBIN_ENTRY void GOMP_loop_end_nowait() {
  BOBBIN_CALL_SITE;
  leave_work(self());
}
