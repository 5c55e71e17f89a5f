// SPDX-License-Identifier: Apache-2.0
// Loops over unsigned long long; `up`: the step is positive.
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/gomp/loop_call.h"

using namespace bobbin;
using namespace bobbin::gomp;

BOBBIN_ENTRY bool GOMP_loop_ull_static_start(bool up, Ull begin, Ull end, Ull step, Ull chunk,
                                             Ull* istart, Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), static_schedule(chunk), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_dynamic_start(bool up, Ull begin, Ull end, Ull step, Ull chunk,
                                              Ull* istart, Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), dynamic_schedule(chunk), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_ull_dynamic_start)
bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool, Ull, Ull, Ull, Ull, Ull*, Ull*);

BOBBIN_ENTRY bool GOMP_loop_ull_guided_start(bool up, Ull begin, Ull end, Ull step, Ull chunk,
                                             Ull* istart, Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), guided_schedule(chunk), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_ull_guided_start)
bool GOMP_loop_ull_nonmonotonic_guided_start(bool, Ull, Ull, Ull, Ull, Ull*, Ull*);

BOBBIN_ENTRY bool GOMP_loop_ull_runtime_start(bool up, Ull begin, Ull end, Ull step, Ull* istart,
                                              Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), runtime_schedule(self()), LoopOrder::None,
                    istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_ull_runtime_start)
bool GOMP_loop_ull_nonmonotonic_runtime_start(bool, Ull, Ull, Ull, Ull*, Ull*);

BOBBIN_ALIAS(GOMP_loop_ull_runtime_start)
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool, Ull, Ull, Ull, Ull*, Ull*);

BOBBIN_ENTRY bool GOMP_loop_ull_start(bool up, Ull begin, Ull end, Ull step, long schedule,
                                      Ull chunk, Ull* istart, Ull* iend, uintptr_t* reductions,
                                      void** memory) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  return start_loop_with(thread, LoopBounds::of(up, begin, end, step),
                         decode_schedule(thread, schedule, chunk), LoopOrder::None, istart, iend,
                         reductions, memory);
}

BOBBIN_ENTRY bool GOMP_loop_ull_ordered_static_start(bool up, Ull begin, Ull end, Ull step,
                                                     Ull chunk, Ull* istart, Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), static_schedule(chunk),
                    LoopOrder::Ordered, istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_ordered_dynamic_start(bool up, Ull begin, Ull end, Ull step,
                                                      Ull chunk, Ull* istart, Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), dynamic_schedule(chunk),
                    LoopOrder::Ordered, istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_ordered_guided_start(bool up, Ull begin, Ull end, Ull step,
                                                     Ull chunk, Ull* istart, Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), guided_schedule(chunk),
                    LoopOrder::Ordered, istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_ordered_runtime_start(bool up, Ull begin, Ull end, Ull step,
                                                      Ull* istart, Ull* iend) {
  BOBBIN_CALL_SITE;
  return start_loop(LoopBounds::of(up, begin, end, step), runtime_schedule(self()),
                    LoopOrder::Ordered, istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_ordered_start(bool up, Ull begin, Ull end, Ull step, long schedule,
                                              Ull chunk, Ull* istart, Ull* iend,
                                              uintptr_t* reductions, void** memory) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  return start_loop_with(thread, LoopBounds::of(up, begin, end, step),
                         decode_schedule(thread, schedule, chunk), LoopOrder::Ordered, istart, iend,
                         reductions, memory);
}

// The loop's record knows the schedule, so one function serves all schedules.
BOBBIN_ENTRY bool GOMP_loop_ull_runtime_next(Ull* istart, Ull* iend) {
  return next(self(), istart, iend);
}

BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_static_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_dynamic_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_guided_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_nonmonotonic_dynamic_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_nonmonotonic_guided_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_nonmonotonic_runtime_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next)
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_ordered_static_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_ordered_dynamic_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_ordered_guided_next(Ull*, Ull*);
BOBBIN_ALIAS(GOMP_loop_ull_runtime_next) bool GOMP_loop_ull_ordered_runtime_next(Ull*, Ull*);
