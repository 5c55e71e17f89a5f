// SPDX-License-Identifier: Apache-2.0
// Fibonacci numbers by spawn and sync of bobbin.h: each call spawns one of its two calls.
#include <bobbin/spawn.h>

#include "common.h"

static const char kUsage[] = "fib_spawn [n=30]\n";

struct call {
  int n;
  long result;
};

static void fib(void* argument) {
  struct call* call = (struct call*)argument;
  if (call->n < 2) {
    call->result = call->n;
    return;
  }
  struct call a = {call->n - 1, 0}, b = {call->n - 2, 0};
  bobbin_scope scope = BOBBIN_SCOPE;
  bobbin_spawn(&scope, fib, &a);
  fib(&b);
  bobbin_sync(&scope);
  call->result = a.result + b.result;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  struct call top = {(int)arg_number(argc, argv, "n", 30), 0};
  long before = 1, result = 0;  // fib(n - 1), fib(n), by the definition
  for (int i = 0; i < top.n; i++) {
    long next = before + result;
    before = result;
    result = next;
  }

  double start = seconds();
  bobbin_parallel(fib, &top, 0);
  double took = seconds() - start;
  require(top.result == result, "fib(n)");
  double calls = 2.0 * (double)(result + before) - 2;  // below the first call: 2 fib(n + 1) - 2
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("task_ns", 1e9 * took / calls, "ns");
  passed();
  return 0;
}
