/* SPDX-License-Identifier: Apache-2.0
 * The entry points that compilers before GCC 4.9 called: a region opens with ..._start, the
 * encountering thread runs its own share, and GOMP_parallel_end closes it. */
#include "check.h"
#include "gomp_direct.h"

enum { kCount = 500 };
static int ran, hits[kCount];

static void body(void* data) {
  CHECK_EQ(*(int*)data, 77);
  CHECK(omp_get_thread_num() < omp_get_num_threads());
  CHECK_EQ(omp_get_level(), 1);
  add_one(&ran);
}

static void region(void) {
  int n = omp_get_max_threads(), data = 77;
  for (int round = 0; round < 4; round++) {
    ran = 0;
    GOMP_parallel_start(body, &data, 0);
    CHECK_EQ(omp_get_num_threads(), n);
    CHECK_EQ(omp_get_thread_num(), 0);
    body(&data);
    GOMP_parallel_end();
    CHECK_EQ(ran, n);
    CHECK_EQ(omp_get_level(), 0);
    ran = 0;
    GOMP_parallel_start(body, &data, 3);
    CHECK_EQ(omp_get_num_threads(), 3);
    body(&data);
    GOMP_parallel_end();
    CHECK_EQ(ran, 3);
    ran = 0;
    GOMP_parallel_start(body, &data, 1); /* if(0) */
    CHECK_EQ(omp_get_num_threads(), 1);
    body(&data);
    GOMP_parallel_end();
    CHECK_EQ(ran, 1);
  }
}

static void with_barrier(void* data) {
  body(data);
  GOMP_barrier();
  CHECK_EQ(load(&ran), omp_get_num_threads());
}

static void nested_body(void* data) {
  int inner = 77;
  (void)data;
  GOMP_parallel_start(with_barrier, &inner, 1);
  add_one(&ran);
  GOMP_parallel_end();
}

static void inner_regions(void) {
  int n = omp_get_max_threads(), data = 77;
  ran = 0;
  GOMP_parallel_start(with_barrier, &data, 0);
  with_barrier(&data);
  GOMP_parallel_end();
  CHECK_EQ(ran, n);
  ran = 0;
  GOMP_parallel_start(nested_body, &data, 0);
  nested_body(&data);
  GOMP_parallel_end();
  CHECK_EQ(ran, n);
}

#define LOOP_BODY(name, next)                                    \
  static void name(void* data) {                                 \
    long from, to;                                               \
    (void)data;                                                  \
    while (next(&from, &to))                                     \
      for (long i = from; i < to; i += 2) add_one(&hits[i / 2]); \
    GOMP_loop_end_nowait();                                      \
  }

LOOP_BODY(static_loop, GOMP_loop_static_next)
LOOP_BODY(dynamic_loop, GOMP_loop_dynamic_next)
LOOP_BODY(guided_loop, GOMP_loop_guided_next)
LOOP_BODY(runtime_loop, GOMP_loop_runtime_next)

static void expect(int times) {
  for (int i = 0; i < kCount; i++) CHECK_EQ(hits[i], times);
  memset(hits, 0, sizeof hits);
}

static void loops(void) {
  static const long kChunks[] = {1, 7, 1000};
  for (int c = 0; c < 3; c++) {
    GOMP_parallel_loop_static_start(static_loop, NULL, 0, 0, 2 * kCount, 2, kChunks[c]);
    static_loop(NULL);
    GOMP_parallel_end();
    GOMP_parallel_loop_dynamic_start(dynamic_loop, NULL, 0, 0, 2 * kCount, 2, kChunks[c]);
    dynamic_loop(NULL);
    GOMP_parallel_end();
    GOMP_parallel_loop_guided_start(guided_loop, NULL, 3, 0, 2 * kCount, 2, kChunks[c]);
    guided_loop(NULL);
    GOMP_parallel_end();
    omp_set_schedule(c ? omp_sched_dynamic : omp_sched_static, (int)kChunks[c]);
    GOMP_parallel_loop_runtime_start(runtime_loop, NULL, 0, 0, 2 * kCount, 2);
    runtime_loop(NULL);
    GOMP_parallel_end();
    expect(4);
  }
  GOMP_parallel_loop_static_start(static_loop, NULL, 0, 0, 2 * kCount, 2, 0);
  static_loop(NULL);
  GOMP_parallel_end();
  GOMP_parallel_loop_static(static_loop, NULL, 0, 0, 2 * kCount, 2, 5, 0);
  GOMP_parallel_loop_static(static_loop, NULL, 1, 0, 2 * kCount, 2, 0, 0);
  GOMP_parallel_loop_dynamic(dynamic_loop, NULL, 0, 0, 2 * kCount, 2, 4, 0);
  GOMP_parallel_loop_guided(guided_loop, NULL, 0, 0, 2 * kCount, 2, 2, 0);
  GOMP_parallel_loop_runtime(runtime_loop, NULL, 0, 0, 2 * kCount, 2, 0);
  expect(6);
}

static void sections_body(void* data) {
  (void)data;
  for (unsigned i = GOMP_sections_next(); i != 0; i = GOMP_sections_next()) add_one(&hits[i - 1]);
  GOMP_sections_end_nowait();
}

static void sections(void) {
  GOMP_parallel_sections_start(sections_body, NULL, 0, kCount);
  sections_body(NULL);
  GOMP_parallel_end();
  GOMP_parallel_sections_start(sections_body, NULL, 2, kCount);
  sections_body(NULL);
  GOMP_parallel_end();
  GOMP_parallel_sections(sections_body, NULL, 0, kCount, 0);
  expect(3);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(region);
  RUN(inner_regions);
  RUN(loops);
  RUN(sections);
  return check_end();
}
