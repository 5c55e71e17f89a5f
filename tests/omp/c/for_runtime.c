/* SPDX-License-Identifier: Apache-2.0
 * schedule(runtime): the loop has the schedule set by omp_set_schedule, with and without modifiers,
 * and the schedule read back is the one that was set. */
#include "loops.h"

LOOP_BODIES(int_runtime, int, omp parallel for schedule(runtime))
LOOP_BODIES(ull_runtime, unsigned long long, omp parallel for schedule(runtime))
LOOP_BODIES(split_int, int, omp for schedule(runtime))
LOOP_BODIES(split_ull, unsigned long long, omp for schedule(runtime))
LOOP_BODIES(mono_int, int, omp parallel for schedule(monotonic : runtime))
LOOP_BODIES(mono_ull, unsigned long long, omp parallel for schedule(monotonic : runtime))
LOOP_BODIES(split_mono_int, int, omp for schedule(monotonic : runtime))
LOOP_BODIES(split_mono_ull, unsigned long long, omp for schedule(monotonic : runtime))
LOOP_BODIES(nonmono_int, int, omp parallel for schedule(nonmonotonic : runtime))
LOOP_BODIES(nonmono_ull, unsigned long long, omp parallel for schedule(nonmonotonic : runtime))
LOOP_BODIES(split_nonmono_int, int, omp for schedule(nonmonotonic : runtime))
LOOP_BODIES(split_nonmono_ull, unsigned long long, omp for schedule(nonmonotonic : runtime))

static omp_sched_t kind;
static int chunk;

static void verify(int count, int monotonic) {
  int threads = omp_get_max_threads();
  loop_check_once(count);
  omp_sched_t plain = (omp_sched_t)((unsigned)kind & 0x7fffffffU);
  if (plain == omp_sched_static && chunk > 0) loop_check_static_chunk(count, chunk, threads);
  if (plain == omp_sched_static && chunk <= 0) loop_check_static(count, threads);
  if (plain == omp_sched_dynamic) loop_check_chunks(count, chunk > 0 ? chunk : 1);
  if (monotonic || plain == omp_sched_static || ((unsigned)kind & 0x80000000U)) {
    loop_check_monotonic(count);
  }
}

#define COMBINED(name, monotonic) \
  do {                            \
    loop_reset();                 \
    name##_int_up(-7, 293, 3);    \
    verify(100, monotonic);       \
    loop_reset();                 \
    name##_ull_down(400, 160, 2); \
    verify(120, monotonic);       \
    loop_reset();                 \
    name##_int_up_to(4, 3, 1);    \
    verify(0, monotonic);         \
  } while (0)

#define SPLIT(name, monotonic)    \
  do {                            \
    loop_reset();                 \
    PRAGMA(omp parallel)          \
    name##_int_up(-7, 293, 3);    \
    verify(100, monotonic);       \
    loop_reset();                 \
    PRAGMA(omp parallel)          \
    name##_ull_down(400, 160, 2); \
    verify(120, monotonic);       \
    loop_reset();                 \
    PRAGMA(omp parallel)          \
    name##_int_up_to(4, 3, 1);    \
    verify(0, monotonic);         \
  } while (0)

static void int_plain(void) {
  loop_reset();
  int_runtime_up(0, 90, 1);
  verify(90, 0);
  loop_reset();
  ull_runtime_up(1ULL << 63, (1ULL << 63) + 90, 1);
  verify(90, 0);
}

/* Only globals and constants are used, so that compilers merge the loop with the region. */
static void merged(void) {
  loop_reset();
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 90; i++) loop_record((unsigned long long)i);
  verify(90, 0);
  loop_reset();
#pragma omp parallel for schedule(nonmonotonic : runtime)
  for (int i = 0; i < 90; i++) loop_record((unsigned long long)i);
  verify(90, 0);
  loop_reset();
#pragma omp parallel for schedule(monotonic : runtime)
  for (int i = 0; i < 90; i++) loop_record((unsigned long long)i);
  verify(90, 1);
}

static void check_kind(const char* name, omp_sched_t set, int size) {
  check_case = name;
  kind = set;
  chunk = size;
  omp_set_schedule(set, size);
  omp_sched_t got = omp_sched_auto;
  int got_chunk = -1;
  omp_get_schedule(&got, &got_chunk);
  CHECK_EQ((unsigned)got & 0x7fffffffU, (unsigned)set & 0x7fffffffU);
  if (size > 0) CHECK_EQ(got_chunk, size);
  int_plain();
  merged();
  COMBINED(mono, 1);
  COMBINED(nonmono, 0);
  SPLIT(split, 0);
  SPLIT(split_mono, 1);
  SPLIT(split_nonmono, 0);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  check_kind("static", omp_sched_static, 0);
  check_kind("static,5", omp_sched_static, 5);
  check_kind("dynamic", omp_sched_dynamic, 1);
  check_kind("dynamic,7", omp_sched_dynamic, 7);
  check_kind("guided", omp_sched_guided, 0);
  check_kind("guided,3", omp_sched_guided, 3);
  check_kind("auto", omp_sched_auto, 0);
  check_kind("monotonic:dynamic,3",
             (omp_sched_t)((unsigned)omp_sched_dynamic | (unsigned)omp_sched_monotonic), 3);
  check_kind("monotonic:guided,2",
             (omp_sched_t)((unsigned)omp_sched_guided | (unsigned)omp_sched_monotonic), 2);
  return check_end();
}
