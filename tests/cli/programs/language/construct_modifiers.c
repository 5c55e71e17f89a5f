// SPDX-License-Identifier: Apache-2.0
// Clauses with modifiers that name constructs, of OpenMP 6.0.
#include <stdio.h>

static int bad;

static void expect(int holds) { bad |= !holds; }

int main(void) {
  int sum = 0, threads = 0, first = 7, own = 3;
#pragma omp parallel for num_threads(parallel : 2)    \
    reduction(for, + : sum) schedule(for : static, 1) \
                                         firstprivate(parallel : first) default(parallel : shared)
  for (int i = 0; i < 10; i++) sum += first + i;
  expect(sum == 115);
#pragma omp parallel for private(for : own) reduction(+ : threads)
  for (int i = 0; i < 10; i++) {
    own = i;
    threads += own;
  }
  expect(own == 3 && threads == 45);
  sum = 0;
#pragma omp target teams distribute parallel for map(target, tofrom : sum) num_teams(teams : 1) \
    reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  expect(sum == 45);
  puts(bad ? "failed" : "passed");
  return bad;
}
