// SPDX-License-Identifier: Apache-2.0
// The cost of constructs that have nothing to do.
#include <omp.h>

#include "common.h"

static const char kUsage[] =
    "region [op=parallel|barrier|critical|ordered|ordered_static|dynamic|all] [seconds=0.2]\n"
    "Each figure is the mean over one run of about `seconds`.\n";

static long shared_count;  // protected by critical, and shows that no turn was lost

static long ran;  // number of regions in which the thread has been
#pragma omp threadprivate(ran)

static void many_regions(long times) {
  long sum = 0, threads = 0;
#pragma omp parallel
  ran = 0;
  for (long i = 0; i < times; i++) {
#pragma omp parallel
    ran++;
  }
#pragma omp parallel reduction(+ : sum, threads)
  {
    sum += ran;
    threads++;
  }
  require(sum == times * threads, "every thread ran every region");
}

static void many_barriers(long times) {
  long passed_by_all = 0, threads = 0;
#pragma omp parallel reduction(+ : passed_by_all, threads)
  {
    long mine = 0;
    for (long i = 0; i < times; i++) {
#pragma omp barrier
      mine++;
    }
    passed_by_all += mine;
    threads++;
  }
  require(passed_by_all == times * threads, "every thread passed every barrier");
}

static void many_criticals(long times) {
  int threads = 1;
  shared_count = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    long mine = times / threads;
    for (long i = 0; i < mine; i++) {
#pragma omp critical
      shared_count++;
    }
  }
  require(shared_count == times / threads * threads, "critical counted every turn");
}

static void many_ordered(long times) {
  long in_order = 0;
#pragma omp parallel for ordered schedule(dynamic, 1)
  for (long i = 0; i < times; i++) {
#pragma omp ordered
    in_order += in_order == i;
  }
  require(in_order == times, "ordered kept the order");
}

static void many_ordered_static(long times) {
  long in_order = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (long i = 0; i < times; i++) {
#pragma omp ordered
    in_order += in_order == i;
  }
  require(in_order == times, "ordered kept the order");
}

static void many_chunks(long times) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
  for (long i = 0; i < times; i++) sum += i & 1;
  require(sum == times / 2, "dynamic gave out every iteration");
}

static double timed(void (*body)(long), long times) {
  double start = seconds();
  body(times);
  return seconds() - start;
}

// Returns the mean over one run. The runs that find the length also warm up the team.
static double mean_seconds(void (*body)(long), double wanted) {
  long times = 16;
  double took = timed(body, times);
  while (took < wanted / 10) {
    times *= 2;
    took = timed(body, times);
  }
  times = (long)((double)times * wanted / took) + 1;
  return timed(body, times) / (double)times;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  static const struct {
    const char* name;
    void (*body)(long);
    const char* metric;
    const char* unit;
    double scale;
  } ops[] = {
      {"parallel", many_regions, "parallel_us", "us", 1e6},
      {"barrier", many_barriers, "barrier_us", "us", 1e6},
      {"critical", many_criticals, "critical_ns", "ns", 1e9},
      {"ordered", many_ordered, "ordered_ns", "ns", 1e9},
      {"ordered_static", many_ordered_static, "ordered_static_ns", "ns", 1e9},
      {"dynamic", many_chunks, "dynamic_ns", "ns", 1e9},
  };
  const char* op = arg_text(argc, argv, "op", "all");
  double wanted = arg_number(argc, argv, "seconds", 0.2);
  int done = 0;
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    if (strcmp(op, "all") != 0 && strcmp(op, ops[i].name) != 0) continue;
    print_metric(ops[i].metric, ops[i].scale * mean_seconds(ops[i].body, wanted), ops[i].unit);
    done++;
  }
  require(done > 0, "op is one of those the first comment lists");
  passed();
  return 0;
}
