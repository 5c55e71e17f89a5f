/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions between LLVM's entry points that record tasks: executed many times, with tasks that
 * depend on each other. libomp has these functions only if it is built for them, so they are looked
 * up.
 */
#include <dlfcn.h>

#include "check.h"
#include "kmp/kmp_direct.h"

static int32_t (*start_record_task)(Ident*, int32_t, int32_t, int32_t);
static void (*end_record_task)(Ident*, int32_t, int32_t, int32_t);

enum { kChain = 20, kRounds = 30, kAgain = 10, kRecordAgain = 2 };

static int next; /* a replayed task uses the shared variables that it was recorded with */

/* Checks the tasks' order, and that all have completed at the region's end. Returns whether the
 * statements were executed. */
static int chain(int graph, int flags, int round, int* executed) {
  int32_t me = __kmpc_global_thread_num(&kPlace);
  int started = *executed;
  int records = start_record_task(&kPlace, me, flags, graph);
  if (records) {
    for (int i = 0; i < kChain; i++) {
#pragma omp task depend(inout : next) shared(next) firstprivate(i, round)
      {
        if (i == 0) next = 0;
        CHECK_EQ(next++, i);
        CHECK_EQ(round % kAgain, 0); /* that of the record */
#pragma omp atomic
        (*executed)++;
      }
    }
  }
  end_record_task(&kPlace, me, flags, graph);
  CHECK_EQ(next, kChain);
  CHECK_EQ(*executed, started + kChain);
  return records;
}

static void chains(void) {
  int executed = 0, records = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    records += chain(1, round % kAgain == 0 ? kRecordAgain : 0, round, &executed);
  }
  CHECK_EQ(executed, kChain * kRounds);
  CHECK_EQ(records, kRounds / kAgain);
}

/* A diamond and a taskloop with a reduction, in one region. The reduction needs a taskgroup, so the
 * region is executed each time. */
static void diamonds(void) {
  long sum = 0;
  int left = 0, right = 0, top = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    int32_t me = __kmpc_global_thread_num(&kPlace);
    if (start_record_task(&kPlace, me, 0, 2)) {
#pragma omp task depend(out : top)
      top = round;
#pragma omp task depend(in : top) depend(out : left)
      left = top + 1;
#pragma omp task depend(in : top) depend(out : right)
      right = top + 2;
#pragma omp task depend(in : left, right)
      CHECK_EQ(left + right, 2 * round + 3);
#pragma omp taskloop reduction(+ : sum) grainsize(7)
      for (int i = 0; i < 100; i++) sum += i;
    }
    end_record_task(&kPlace, me, 0, 2);
    CHECK_EQ(left + right, 2 * round + 3);
    CHECK_EQ(sum, 4950L * (round + 1));
  }
}

int main(void) {
  CHECK_BEGIN();
  *(void**)&start_record_task = dlsym(RTLD_DEFAULT, "__kmpc_start_record_task");
  *(void**)&end_record_task = dlsym(RTLD_DEFAULT, "__kmpc_end_record_task");
  CHECK(start_record_task != NULL && end_record_task != NULL);
  RUN(chains);
  RUN(diamonds);
  return check_end();
}
