/* SPDX-License-Identifier: Apache-2.0
 * Interoperability objects, where there is no foreign runtime; append_args, reverse offload and
 * indirect calls. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#pragma omp requires reverse_offload

static int failures, order[3], calls_of_base, calls_of_variant;
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                     \
    }                                                                 \
  } while (0)

static int is_none(omp_interop_t object) { return object == 0; }

static void objects(void) {
  int marker = 0;
  omp_interop_t target = (omp_interop_t)&marker, sync = target, other = target;
#pragma omp interop init(target : target) init(prefer_type("cuda", 3), target, targetsync : other)
  CHECK(is_none(target) && is_none(other) && !is_none(sync));
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    int seen = 0;
#pragma omp task depend(out : marker) shared(seen)
    for (volatile int i = 0; i < 100000; i++) seen = i;
#pragma omp interop init(targetsync : sync) depend(inout : marker) device(omp_get_initial_device())
    CHECK(seen == 99999 && is_none(sync));
#pragma omp task depend(out : marker)
    {
      for (volatile int i = 0; i < 100000; i++) continue;
      order[0] = 1;
    }
#pragma omp interop use(sync) depend(inout : marker) nowait
#pragma omp task depend(in : marker)
    order[1] = order[0] + 1;
#pragma omp taskwait
  }
  CHECK(order[1] == 2);
#pragma omp interop destroy(target) destroy(sync) use(other)
  CHECK(is_none(target) && is_none(sync) && is_none(other));
}

static int add_variant(int a, int b, omp_interop_t first, omp_interop_t second);
#pragma omp declare variant(add_variant) match(construct = {dispatch}) \
    append_args(interop(target), interop(targetsync))
static int add(int a, int b) {
  calls_of_base++;
  return a + b;
}
static int add_variant(int a, int b, omp_interop_t first, omp_interop_t second) {
  calls_of_variant++;
  return a + b + 100 + (is_none(first) ? 0 : 1000) + (is_none(second) ? 0 : 10000);
}

static void nothing_variant(omp_interop_t object);
#pragma omp declare variant(nothing_variant) match(construct = {dispatch}) \
    append_args(interop(target))
static void nothing(void) { calls_of_base++; }
static void nothing_variant(omp_interop_t object) { calls_of_variant += is_none(object); }

static void appended(int n) {
  int sum = 0;
  omp_interop_t object = (omp_interop_t)&failures;
#pragma omp dispatch
  sum = add(n, add(1, 2));
  CHECK(sum == n + 103 && calls_of_base == 1 && calls_of_variant == 1);
#pragma omp parallel num_threads(1)
#pragma omp dispatch interop(object) depend(in : n)
  sum = add(1, n);
  CHECK(sum == n + 1101);
#pragma omp dispatch interop(object, object) novariants(n > 0)
  sum = add(n, 2);
  CHECK(sum == n + 2 && calls_of_base == 2);
#pragma omp dispatch nocontext(n > 0) novariants(n < 0)
  sum = add(n, 3);
  CHECK(sum == n + 3 && calls_of_base == 3);
#pragma omp dispatch nocontext(n < 0) novariants(n < 0) interop(object, object)
  sum = add(n, 4);
  CHECK(sum == n + 11104 && calls_of_variant == 3);
#pragma omp dispatch
  nothing();
  CHECK(calls_of_base == 3 && calls_of_variant == 4);
}

static int thrice(int n) { return 3 * n; }
#pragma omp declare target enter(thrice) indirect

static void on_host(int n) {
  int (*function)(int) = thrice;
  int on_device = 0, back = 0;
#pragma omp target map(on_device, back) firstprivate(function, n)
  {
    on_device = function(n);
#pragma omp target device(ancestor : 1) map(back) firstprivate(n)
    back = n + omp_is_initial_device();
  }
  CHECK(on_device == 3 * n && back == n + 1);
}

int main(void) {
  objects();
  appended(7);
  on_host(5);
  if (failures == 0) puts("passed");
  return failures != 0;
}
