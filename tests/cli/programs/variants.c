// SPDX-License-Identifier: Apache-2.0
// Directives and functions that are chosen by their context: prints what was chosen.
#include <omp.h>
#include <stdio.h>

int in_parallel(int x) { return 10 * x; }
int on_gpu(int x) { return 100 * x; }
#pragma omp declare variant(in_parallel) match(construct = {parallel})
#pragma omp declare variant(on_gpu) match(device = {kind(gpu)})
int by_place(int x);
int by_place(int x) { return x; }

int dispatched(int x) { return 3 * x; }
#pragma omp declare variant(dispatched) match(construct = {dispatch})
int by_dispatch(int x) { return x; }

enum { kYes = 1 };
static int on_condition(int x) { return 5 * x; }
#pragma omp declare variant(on_condition) match(user = {condition(kYes > 0)})
static int by_condition(int x) { return x; }

int by_block(int x) { return x; }
#pragma omp begin declare variant match(device = {kind(host)}, implementation = {vendor(bobbin)})
int by_block(int x) { return 7 * x; }
#pragma omp end declare variant
#pragma omp begin declare variant match(device = {kind(fpga)})
int by_block(int x) { this is not C; }
#pragma omp end declare variant

static int hidden(int kYes) {  // not the one of the condition
  const int on_condition = 1;
  return by_condition(kYes + on_condition);
}

static int evaluated;
static int device(void) {
  evaluated++;
  return omp_get_initial_device();
}

static void functions(int is_alone) {
  printf("place %d", by_place(1));
#pragma omp parallel num_threads(1)
  printf(" %d", by_place(1));
  printf(", condition %d, block %d %d\n", by_condition(1), by_block(1), (&by_block)(1));

  int all, none, without, with;
#pragma omp dispatch
  all = by_dispatch(by_dispatch(2));  // the argument is no part of the dispatch region
#pragma omp dispatch novariants(is_alone)
  none = by_dispatch(2);
#pragma omp dispatch nocontext(is_alone)
  without = by_dispatch(2);
#pragma omp dispatch nocontext(!is_alone) device(device()) nowait
  with = by_dispatch(2);
  printf("dispatch %d %d %d %d, device %d, hidden %d\n", all, none, without, with, evaluated,
         hidden(0));
}

static void directives(int limit) {
  int threads = 0, rounds = 0, best = 0;
  for (int wanted = 1; wanted < 4; wanted++) {
#pragma omp metadirective when(user = {condition(wanted > limit)} : parallel num_threads(wanted)) \
    otherwise(nothing)
    {
#pragma omp atomic
      threads += omp_get_num_threads();
    }
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp metadirective when(construct = {parallel} : for) otherwise(parallel for)
    for (int i = 0; i < 10; i++) {
#pragma omp atomic
      rounds++;
    }
#pragma omp metadirective when(device = {kind(gpu)} : error at(execution)) default(barrier)
  }
#pragma omp begin metadirective when(target_device = {kind(host)} : parallel num_threads(2)) \
    when(user = {condition(score(50) : 1)} : parallel num_threads(3))
#pragma omp atomic
  best += 1;
#pragma omp end metadirective
  printf("threads %d, rounds %d, best %d\n", threads, rounds, best);
}

int main(int argc, char** argv) {
  (void)argv;
  functions(argc == 1);
  directives(argc);
  return 0;
}
