// SPDX-License-Identifier: Apache-2.0
// Fibonacci numbers with every call as a task, with or without a cutoff, or with one of two calls.
#include "apps/app.h"

static const char kUsage[] = "fib [n=30] [tasks=2] " CUTOFF_ARGUMENTS
                             "\n"
                             "tasks  of the two calls in a call, 1 or 2; 1: without a cutoff\n";

static long fib_serial(int n) { return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2); }

static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task TIEDNESS shared(a)
  a = fib(n - 1);
#pragma omp task TIEDNESS shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static long fib_one(int n) {
  if (n < 2) return n;
  long a;
#pragma omp task TIEDNESS shared(a)
  a = fib_one(n - 1);
  long b = fib_one(n - 2);
#pragma omp taskwait
  return a + b;
}

// This is separate from the functions above, whose tasks are so small that the cost of the clauses
// would show.
static long fib_with_cutoff(int n, int depth) {
  if (n < 2) return n;
  if (serial_at(depth)) return fib_serial(n);
  long a, b;
#pragma omp task TIEDNESS shared(a) if (deferred_at(depth)) final(final_at(depth))
  a = fib_with_cutoff(n - 1, depth + 1);
#pragma omp task TIEDNESS shared(b) if (deferred_at(depth)) final(final_at(depth))
  b = fib_with_cutoff(n - 2, depth + 1);
#pragma omp taskwait
  return a + b;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int n = (int)arg_number(argc, argv, "n", 30);
  read_variant(argc, argv);
  int cutoff = strcmp(variant.kind, "none") != 0;
  long of_two = (long)arg_number(argc, argv, "tasks", 2);
  require(of_two == 2 || (of_two == 1 && !cutoff && !variant.serial), "tasks");
  long before = 0, result = 1;  // fib(n - 1), fib(n), by the definition
  for (int i = 1; i < n; i++) {
    long next = before + result;
    before = result;
    result = next;
  }
  if (n == 0) result = 0;

  long got = 0;
  double start = seconds();
  if (variant.serial) {
    got = fib_serial(n);
  } else {
#pragma omp parallel
#pragma omp single
    got = cutoff ? fib_with_cutoff(n, 0) : of_two == 1 ? fib_one(n) : fib(n);
  }
  double took = seconds() - start;
  require(got == result, "fib(n)");
  double calls = 2.0 * (double)(got + before) - 2;  // below the first one: 2 fib(n + 1) - 2
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("task_ns", 1e9 * took / calls * 2 / (double)of_two, "ns");
  print_metric("call_ns", 1e9 * took / calls, "ns");
  passed();
  return 0;
}
