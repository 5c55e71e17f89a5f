// SPDX-License-Identifier: Apache-2.0
// The work that a task must hold: a fixed number of the tree search's hashes, in independent tasks
// of k hashes each. A loop whose threads draw k iterations at a time does the same work.
#include <omp.h>

#include "common.h"
#include "sha1.h"

static const char kUsage[] =
    "uts_aggregate [hashes=4000000] [k=1] [makers=one|two|all] [mode=tasks|loop|serial]\n"
    "k       hashes a task\n"
    "makers  the threads that make equal parts of the tasks\n"
    "mode    loop: no tasks, but a loop over the hashes with schedule(dynamic,k)\n"
    "efficiency is the serial time by the time, divided by the processors that the threads have.\n"
    "The sum of the hashes' last words is checked against the serial computation.\n";

// Computes the hashes [from, to), each of its own number.
static uint64_t hash_all(long from, long to) {
  uint64_t sum = 0;
  // Without this a compiler sees that a second call gives the same result, and nothing is timed.
  __asm__ volatile("");
  for (long i = from; i < to; i++) {
    uint32_t message[6] = {0, 0, 0, 0, (uint32_t)(i >> 32), (uint32_t)i};
    uint32_t digest[5];
    sha1_of_words(digest, message, 6);
    sum += digest[4];
  }
  return sum;
}

static inline long upper(long from, long k, long hashes) {
  return from + k < hashes ? from + k : hashes;
}

static void make_tasks(long from, long to, long k, uint64_t* sum) {
  for (; from < to; from += k) {
#pragma omp task TIEDNESS firstprivate(from)
    {
      uint64_t part = hash_all(from, upper(from, k, to));
#pragma omp atomic
      *sum += part;
    }
  }
}

// Each maker makes an equal part of the tasks.
static void by_makers(int makers, long hashes, long k, uint64_t* sum) {
  const long tasks = (hashes + k - 1) / k;
#pragma omp parallel
#pragma omp for schedule(static, 1)
  for (int maker = 0; maker < makers; maker++) {
    const long from = tasks * maker / makers * k;
    make_tasks(from, upper(0, tasks * (maker + 1) / makers * k, hashes), k, sum);
  }
}

static uint64_t by_loop(long hashes, long k) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, k) reduction(+ : sum)
  for (long i = 0; i < hashes; i++) sum += hash_all(i, i + 1);
  return sum;
}

// 0: no such makers.
static int makers_of(const char* word) {
  if (strcmp(word, "one") == 0) return 1;
  if (strcmp(word, "two") == 0) return 2;
  return strcmp(word, "all") == 0 ? omp_get_max_threads() : 0;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long hashes = (long)arg_number(argc, argv, "hashes", 4000000);
  long k = (long)arg_number(argc, argv, "k", 1);
  const int makers = makers_of(arg_text(argc, argv, "makers", "one"));
  require(makers != 0, "makers is one, two or all");
  const char* mode = arg_text(argc, argv, "mode", "tasks");
  require(hashes > 0 && k > 0, "hashes and k are at least 1");

  double start = seconds();
  uint64_t expected = hash_all(0, hashes);
  double serial_took = seconds() - start;
  uint64_t sum = 0;
  start = seconds();
  if (strcmp(mode, "serial") == 0)
    sum = hash_all(0, hashes);
  else if (strcmp(mode, "loop") == 0)
    sum = by_loop(hashes, k);
  else if (strcmp(mode, "tasks") == 0)
    by_makers(makers, hashes, k, &sum);
  else
    require(0, "mode is tasks, loop or serial");
  double took = seconds() - start;
  require(sum == expected, "the sum of the hashes");
  print_metric("serial_ms", 1e3 * serial_took, "ms");
  print_metric_of("time_ms", 1e3 * took, "ms", "k=%ld", k);
  print_metric_of("hash_ns", 1e9 * took / (double)hashes, "ns", "k=%ld", k);
  if (strcmp(mode, "serial") != 0) {
    int threads = omp_get_max_threads();
    int processors = threads < omp_get_num_procs() ? threads : omp_get_num_procs();
    print_metric_of("efficiency", 100 * serial_took / took / processors, "%", "k=%ld", k);
  }
  passed();
  return 0;
}
