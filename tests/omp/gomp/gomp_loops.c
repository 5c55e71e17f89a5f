/* SPDX-License-Identifier: Apache-2.0
 * Static loops through the runtime, which compilers usually expand in place, and the general
 * GOMP_loop_..._start family with every schedule code, called by hand. */
#include "check.h"
#include "gomp_direct.h"

enum { kCount = 300, kStep = 3 };
static int hits[kCount], owner[kCount];

enum Schedule { kRuntime = 0, kStatic = 1, kDynamic = 2, kGuided = 3, kAuto = 4 };
static const long kMonotonic = (long)(int)0x80000000u;

static void record(long i) {
  CHECK(i >= 0 && i < kCount);
  if (i < 0 || i >= kCount) return;
  add_one(&hits[i]);
  owner[i] = omp_get_thread_num();
}

static void record_range(long from, long to) {
  for (long i = from; i < to; i += kStep) record(i / kStep);
}

static void record_ull(Ull base, Ull from, Ull to, bool up) {
  if (up)
    for (Ull i = from; i < to; i += kStep) record((long)((i - base) / kStep));
  else
    for (Ull i = from; i > to; i -= kStep) record((long)((base - i) / kStep));
}

static void expect_round_robin(long chunk) {
  for (int i = 0; i < kCount; i++) {
    CHECK_EQ(hits[i], 1);
    if (chunk > 0) CHECK_EQ(owner[i], i / chunk % omp_get_max_threads());
  }
  memset(hits, 0, sizeof hits);
}

static void static_loops(void) {
  static const long kChunks[] = {0, 1, 8, 5000};
  const Ull base = 1ULL << 63;
  for (int c = 0; c < 4; c++) {
    long chunk = kChunks[c];
#pragma omp parallel
    {
      long from, to;
      if (GOMP_loop_static_start(0, kStep * kCount, kStep, chunk, &from, &to)) do
          record_range(from, to);
        while (GOMP_loop_static_next(&from, &to));
      GOMP_loop_end();
    }
    expect_round_robin(chunk);
#pragma omp parallel
    {
      Ull from, to;
      if (GOMP_loop_ull_static_start(true, base, base + kStep * kCount, kStep, (Ull)chunk, &from,
                                     &to))
        do record_ull(base, from, to, true);
        while (GOMP_loop_ull_static_next(&from, &to));
      GOMP_loop_end();
    }
    expect_round_robin(chunk);
#pragma omp parallel
    {
      Ull from, to;
      if (GOMP_loop_ull_static_start(false, base, base - kStep * kCount, -(Ull)kStep, (Ull)chunk,
                                     &from, &to))
        do record_ull(base, from, to, false);
        while (GOMP_loop_ull_static_next(&from, &to));
      GOMP_loop_end_nowait();
    }
    expect_round_robin(chunk);
  }
}

static void empty_loops(void) {
#pragma omp parallel
  {
    long from, to;
    Ull ufrom, uto;
    CHECK(!GOMP_loop_static_start(5, 5, 1, 0, &from, &to));
    GOMP_loop_end_nowait();
    CHECK(!GOMP_loop_static_start(9, 5, 1, 3, &from, &to));
    GOMP_loop_end();
    CHECK(!GOMP_loop_ull_static_start(true, 9, 5, 1, 3, &ufrom, &uto));
    GOMP_loop_end();
    CHECK(!GOMP_loop_ull_static_start(false, 5, 9, -1ULL, 0, &ufrom, &uto));
    GOMP_loop_end();
  }
}

/* After the first piece the matching ..._next call returns the rest. */
static bool next(long schedule, long* from, long* to) {
  switch (schedule & 0xff) {
    case kStatic:
      return GOMP_loop_static_next(from, to);
    case kDynamic:
      return GOMP_loop_dynamic_next(from, to);
    case kGuided:
      return GOMP_loop_guided_next(from, to);
    default:
      return GOMP_loop_runtime_next(from, to);
  }
}

static bool next_ull(long schedule, Ull* from, Ull* to) {
  switch (schedule & 0xff) {
    case kStatic:
      return GOMP_loop_ull_static_next(from, to);
    case kDynamic:
      return GOMP_loop_ull_dynamic_next(from, to);
    case kGuided:
      return GOMP_loop_ull_guided_next(from, to);
    default:
      return GOMP_loop_ull_runtime_next(from, to);
  }
}

static void general_loops(void) {
  const long kSchedules[] = {kRuntime,
                             kStatic,
                             kDynamic,
                             kGuided,
                             kStatic | kMonotonic,
                             kDynamic | kMonotonic,
                             kGuided | kMonotonic};
  const Ull base = 1ULL << 40;
  omp_set_schedule(omp_sched_dynamic, 6);
  for (unsigned s = 0; s < sizeof kSchedules / sizeof *kSchedules; s++) {
    long schedule = kSchedules[s], chunk = (schedule & 0xff) == kRuntime ? 0 : 4;
#pragma omp parallel
    {
      long from, to;
      if (GOMP_loop_start(0, kStep * kCount, kStep, schedule, chunk, &from, &to, NULL, NULL)) do
          record_range(from, to);
        while (next(schedule, &from, &to));
      GOMP_loop_end();
    }
    expect_round_robin((schedule & 0xff) == kStatic ? chunk : 0);
#pragma omp parallel
    {
      Ull from, to;
      if (GOMP_loop_ull_start(true, base, base + kStep * kCount, kStep, schedule, (Ull)chunk, &from,
                              &to, NULL, NULL))
        do record_ull(base, from, to, true);
        while (next_ull(schedule, &from, &to));
      GOMP_loop_end();
    }
    expect_round_robin((schedule & 0xff) == kStatic ? chunk : 0);
  }
}

/* `memory` requests zeroed storage that all threads of the region share. */
static void shared_memory(void) {
  int total = 0;
#pragma omp parallel
  for (int round = 0; round < 5; round++) {
    long from, to;
    void* memory = (void*)(size_t)(16 * sizeof(int));
    if (GOMP_loop_start(0, kCount, 1, kDynamic, 3, &from, &to, NULL, &memory)) do {
        for (long i = from; i < to; i++) add_one((int*)memory + i % 16);
      } while (GOMP_loop_dynamic_next(&from, &to));
    int* counts = memory;
    CHECK(counts != NULL && (size_t)counts > 4096);
    GOMP_barrier();
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += counts[i];
    CHECK_EQ(sum, kCount);
    if (omp_get_thread_num() == 0) total += sum;
    GOMP_loop_end();
  }
  CHECK_EQ(total, 5 * kCount);
}

static void ordered_loops(void) {
  static int expected;
#pragma omp parallel
  for (int chunk = 0; chunk < 3; chunk++) {
    long from, to;
    Ull ufrom, uto;
#pragma omp single
    expected = 0;
    if (GOMP_loop_ordered_static_start(0, 40, 1, chunk, &from, &to)) do
        for (long i = from; i < to; i++) {
          GOMP_ordered_start();
          CHECK_EQ(expected++, i);
          GOMP_ordered_end();
        }
      while (GOMP_loop_ordered_static_next(&from, &to));
    GOMP_loop_end();
#pragma omp single
    expected = 0;
    if (GOMP_loop_ull_ordered_static_start(true, 7, 47, 1, (Ull)chunk, &ufrom, &uto)) do
        for (Ull i = ufrom; i < uto; i++) {
          GOMP_ordered_start();
          CHECK_EQ(expected++, i - 7);
          GOMP_ordered_end();
        }
      while (GOMP_loop_ull_ordered_static_next(&ufrom, &uto));
    GOMP_loop_end();
#pragma omp single
    expected = 0;
    if (GOMP_loop_ordered_start(0, 40, 1, kStatic, chunk, &from, &to, NULL, NULL)) do
        for (long i = from; i < to; i++) {
          GOMP_ordered_start();
          CHECK_EQ(expected++, i);
          GOMP_ordered_end();
        }
      while (GOMP_loop_ordered_static_next(&from, &to));
    GOMP_loop_end();
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(static_loops);
  RUN(empty_loops);
  RUN(general_loops);
  RUN(shared_memory);
  RUN(ordered_loops);
  return check_end();
}
