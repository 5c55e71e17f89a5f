// SPDX-License-Identifier: Apache-2.0
// Tasks that take part in a taskgroup's reduction and do nothing else.
#include <omp.h>

#include "common.h"

static const char kUsage[] = "taskgroup_reduction [tasks=1000000]\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long tasks = (long)arg_number(argc, argv, "tasks", 1000000);
  long sum = 0;
  double start = seconds();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (long i = 0; i < tasks; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i & 3;
  }
  double took = seconds() - start;
  long expected = 0;
  for (long i = 0; i < tasks; i++) expected += i & 3;
  require(sum == expected, "the reduction's sum");
  print_metric("task_ns", 1e9 * took / (double)tasks, "ns");
  passed();
  return 0;
}
