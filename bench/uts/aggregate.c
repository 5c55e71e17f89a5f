// SPDX-License-Identifier: Apache-2.0
// The work that a task must hold: a fixed number of the tree search's hashes, in independent tasks
// of k hashes each.
#include <omp.h>

#include "common.h"
#include "sha1.h"

static const char kUsage[] =
    "uts_aggregate [hashes=4000000] [k=1] [makers=one|all] [mode=tasks|serial]\n"
    "k       hashes a task\n"
    "makers  who makes the tasks: one thread, or all of them\n"
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

static void by_one_maker(long hashes, long k, uint64_t* sum) {
#pragma omp parallel
#pragma omp single
  for (long from = 0; from < hashes; from += k) {
#pragma omp task firstprivate(from)
    {
      uint64_t part = hash_all(from, upper(from, k, hashes));
#pragma omp atomic
      *sum += part;
    }
  }
}

static void by_all_makers(long hashes, long k, uint64_t* sum) {
#pragma omp parallel
#pragma omp for schedule(static)
  for (long from = 0; from < hashes; from += k) {
#pragma omp task firstprivate(from)
    {
      uint64_t part = hash_all(from, upper(from, k, hashes));
#pragma omp atomic
      *sum += part;
    }
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long hashes = (long)arg_number(argc, argv, "hashes", 4000000);
  long k = (long)arg_number(argc, argv, "k", 1);
  int one = strcmp(arg_text(argc, argv, "makers", "one"), "one") == 0;
  int serial = strcmp(arg_text(argc, argv, "mode", "tasks"), "serial") == 0;
  require(hashes > 0 && k > 0, "hashes and k are at least 1");

  double start = seconds();
  uint64_t expected = hash_all(0, hashes);
  double serial_took = seconds() - start;
  uint64_t sum = 0;
  start = seconds();
  if (serial)
    sum = hash_all(0, hashes);
  else if (one)
    by_one_maker(hashes, k, &sum);
  else
    by_all_makers(hashes, k, &sum);
  double took = seconds() - start;
  require(sum == expected, "the sum of the hashes");
  print_metric("serial_ms", 1e3 * serial_took, "ms");
  print_metric_of("time_ms", 1e3 * took, "ms", "k=%ld", k);
  print_metric_of("hash_ns", 1e9 * took / (double)hashes, "ns", "k=%ld", k);
  passed();
  return 0;
}
