/* SPDX-License-Identifier: Apache-2.0
 * Tasks with data of all sizes, in every way in which a task can end, and the memory that they
 * take. Run with BOBBIN_TASK_MEMORY=16M. */
#include <stdint.h>
#include <sys/resource.h>

#include "check.h"

/* Every byte encodes the task's number and the byte's position. */
static unsigned char byte_of(int number, size_t place) {
  return (unsigned char)((unsigned)number * 31 + (unsigned)place * 7 + (unsigned)(place >> 8));
}

static void fill(unsigned char* bytes, size_t size, int number) {
  for (size_t i = 0; i < size; i++) bytes[i] = byte_of(number, i);
}

static int holds(const unsigned char* bytes, size_t size, int number) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != byte_of(number, i)) return 0;
  return 1;
}

enum { kTasks = 40 };
static int ran, at[kTasks];

#define JOIN(name, bytes) name##_##bytes
#define EXPAND_AND_JOIN(name, bytes) JOIN(name, bytes)
#define SIZED(name) EXPAND_AND_JOIN(name, BYTES)

#define BYTES 64
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 320
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 1024
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 1600
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 1728
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 1984
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 2560
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 4096
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 7168
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 16384
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 40960
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 65536
#include "task_data_of_size.h"
#undef BYTES
#define BYTES 98304
#include "task_data_of_size.h"
#undef BYTES

#define FOR_ALL_SIZES(function) \
  function##_64();              \
  function##_320();             \
  function##_1024();            \
  function##_1600();            \
  function##_1728();            \
  function##_1984();            \
  function##_2560();            \
  function##_4096();            \
  function##_7168();            \
  function##_16384();           \
  function##_40960();           \
  function##_65536();           \
  function##_98304()

static void tied(void) { FOR_ALL_SIZES(tied); }
static void untied(void) { FOR_ALL_SIZES(untied); }
static void trees(void) { FOR_ALL_SIZES(trees); }
static void undeferred_parents(void) { FOR_ALL_SIZES(undeferred_parent); }
static void loops(void) { FOR_ALL_SIZES(loop); }

/* A function made by gcc copies arrays of variable length. */
static void variable_length(void) {
#ifndef GAP_variable_length
  ran = 0;
#pragma omp parallel
#pragma omp single
  for (int n = 100; n < 100000; n += n / 3) {
    unsigned char array[n];
    fill(array, (size_t)n, n);
#pragma omp task firstprivate(array, n)
    {
      CHECK(holds(array, (size_t)n, n));
      memset(array, 0, (size_t)n);
      add_one(&ran);
    }
    CHECK(holds(array, (size_t)n, n));
  }
  int expected = 0;
  for (int n = 100; n < 100000; n += n / 3) expected++;
  CHECK_EQ(ran, expected);
#endif
}

static long kilobytes_at_most(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* So many tasks of 64 KB would take half a gigabyte together. */
enum { kMany = kSlow ? 1000 : 8000, kFinal = kMany / 8 };

static void memory_stays_bounded(void) {
  static struct data_65536 data;
  const long before = kilobytes_at_most();
  ran = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kMany; i++) {
#pragma omp task firstprivate(data)
    {
      data.bytes[0]++;
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, kMany);
  ran = 0;
#pragma omp parallel for
  for (int i = 0; i < kFinal; i++) {
#pragma omp task firstprivate(data) final(1)
    {
#pragma omp task firstprivate(data)
      add_one(&ran);
#pragma omp task firstprivate(data) if (0)
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, 2 * kFinal);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const int most = 64 * 1024 + 8 * 1024 * omp_get_max_threads();
  if (on_bobbin()) CHECK_EQ(max_int(0, (int)(kilobytes_at_most() - before) - most), 0);
#else
  (void)before;
#endif
}

/* Memory that is kept for later tasks is given back, and later tasks find other memory. */
static void paused(void) {
  for (int i = 0; i < 3; i++) {
    tied_40960();
    omp_pause_resource_all(omp_pause_soft);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(tied);
  RUN(untied);
  RUN(trees);
  RUN(undeferred_parents);
  RUN(loops);
  RUN(variable_length);
  RUN(memory_stays_bounded);
  RUN(paused);
  return check_end();
}
