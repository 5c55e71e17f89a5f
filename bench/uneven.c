// SPDX-License-Identifier: Apache-2.0
// One thread makes all the tasks, and a few of them take most of the time. The thread that makes
// tasks must not be busy in a long task while the others run out of tasks. The long tasks sleep, so
// that with kernel threads the schedule of many threads shows on few processors.
#include <math.h>
#include <omp.h>

#include "common.h"

static const char kUsage[] =
    "uneven [tasks=2000] [shortest=50] [shape=1] [longest=1000] [seed=1]\n"
    "shortest  in us; lengths are drawn from a Pareto distribution of that shape, none longer "
    "than\n"
    "          `longest` times the shortest\n";

static double length_of(long task, long seed, double shape) {
  unsigned long x = (unsigned long)(task + 1) * 0x9e3779b97f4a7c15u + (unsigned long)seed;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return pow((double)((x >> 11) + 1) * 0x1p-53, -1 / shape);
}

static void wait_us(double us) {
  struct timespec span = {(time_t)(us / 1e6), (long)fmod(us * 1e3, 1e9)};
  nanosleep(&span, NULL);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long tasks = (long)arg_number(argc, argv, "tasks", 2000);
  double shortest = arg_number(argc, argv, "shortest", 50);
  double shape = arg_number(argc, argv, "shape", 1);
  double longest = arg_number(argc, argv, "longest", 1000);
  long seed = (long)arg_number(argc, argv, "seed", 1);
  require(tasks > 0 && shortest > 0 && shape > 0 && longest >= 1, "tasks of some length");
  double sum_us = 0;
  double longest_us = 0;
  long done = 0;
  double start = seconds();
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < tasks; i++) {
    double us = shortest * fmin(length_of(i, seed, shape), longest);
    sum_us += us;
    longest_us = fmax(longest_us, us);
#pragma omp task firstprivate(us) shared(done)
    {
      wait_us(us);
#pragma omp atomic
      done++;
    }
  }
  double took = seconds() - start;
  require(done == tasks, "every task ran once");
  double least_us = fmax(longest_us, sum_us / omp_get_max_threads());
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("of_least", 1e6 * took / least_us, "x");
  passed();
  return 0;
}
