// SPDX-License-Identifier: Apache-2.0
// The cost of tasks by the size of their data. The size of an array is fixed when the program is
// built, so each size has its own functions.
#include <omp.h>

#include "common.h"

static const char kUsage[] =
    "task_data [bytes=1500] [kind=final|if|tree|loop] [clause=firstprivate|private]\n"
    "          [tasks=200000] [turns=1000] [samples=5]\n"
    "bytes   64, 256, 1024, 1500, 1900, 4096, 8192, 16384, 32768 or 65536\n"
    "kind    final: a binary tree of tasks in a final one; if: the same, undeferred by an if\n"
    "        clause; tree: the same, which may be deferred; loop: one thread makes tasks of so\n"
    "        many turns\n"
    "The fastest of so many samples counts.\n";

static long turns;
static int deferred = 1;  // the condition of the if clause

// Makes the compiler treat the data as used.
static inline void use(const void* data) { __asm__ volatile("" ::"r"(data) : "memory"); }

// The functions return the number of tasks that ran and found the data written by set().
struct test {
  long bytes;
  long (*tree)(int depth);
  long (*private_tree)(int depth);
  long (*loop)(long tasks);
  void (*set)(void);
};

#define JOIN(name, bytes) name##_##bytes
#define EXPAND_AND_JOIN(name, bytes) JOIN(name, bytes)
#define SIZED(name) EXPAND_AND_JOIN(name, BYTES)

#define BYTES 64
#include "of_size.h"
#undef BYTES
#define BYTES 256
#include "of_size.h"
#undef BYTES
#define BYTES 1024
#include "of_size.h"
#undef BYTES
#define BYTES 1500
#include "of_size.h"
#undef BYTES
#define BYTES 1900
#include "of_size.h"
#undef BYTES
#define BYTES 4096
#include "of_size.h"
#undef BYTES
#define BYTES 8192
#include "of_size.h"
#undef BYTES
#define BYTES 16384
#include "of_size.h"
#undef BYTES
#define BYTES 32768
#include "of_size.h"
#undef BYTES
#define BYTES 65536
#include "of_size.h"
#undef BYTES

#define OF_SIZE(bytes) \
  {bytes, JOIN(tree, bytes), JOIN(private_tree, bytes), JOIN(loop, bytes), JOIN(set, bytes)}

static const struct test kTests[] = {
    OF_SIZE(64),   OF_SIZE(256),  OF_SIZE(1024),  OF_SIZE(1500),  OF_SIZE(1900),
    OF_SIZE(4096), OF_SIZE(8192), OF_SIZE(16384), OF_SIZE(32768), OF_SIZE(65536),
};

static const struct test* test_of(long bytes) {
  for (size_t i = 0; i < sizeof kTests / sizeof kTests[0]; i++)
    if (kTests[i].bytes == bytes) return &kTests[i];
  require(0, "one of the sizes");
  return NULL;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long bytes = (long)arg_number(argc, argv, "bytes", 1500);
  const char* kind = arg_text(argc, argv, "kind", "final");
  const char* clause = arg_text(argc, argv, "clause", "firstprivate");
  long tasks = (long)arg_number(argc, argv, "tasks", 200000);
  long samples = (long)arg_number(argc, argv, "samples", 5);
  turns = (long)arg_number(argc, argv, "turns", 1000);
  int loop = strcmp(kind, "loop") == 0, final = strcmp(kind, "final") == 0;
  int is_private = strcmp(clause, "private") == 0;
  deferred = strcmp(kind, "if") != 0;
  require(loop || final || !deferred || strcmp(kind, "tree") == 0,
          "kind is final, if, tree or loop");
  require(is_private || strcmp(clause, "firstprivate") == 0, "clause is firstprivate or private");
  require(!(loop && is_private), "a loop's tasks have firstprivate data");
  require(tasks >= 2 && samples >= 1, "two tasks and a sample");
  const struct test* test = test_of(bytes);
  test->set();
  int depth = 1;
  while ((4L << depth) - 2 <= tasks) depth++;
  if (!loop) tasks = (2L << depth) - 2;

  double least = 1e9;
  for (long sample = 0; sample < samples; sample++) {
    long right = 0;
    double start = seconds();
    if (loop) {
#pragma omp parallel reduction(+ : right)
#pragma omp single
      right += test->loop(tasks);
    } else {
#pragma omp parallel reduction(+ : right)
#pragma omp single
#pragma omp task shared(right) final(final)
      right += is_private ? test->private_tree(depth) : test->tree(depth);
    }
    double took = seconds() - start;
    require(right == tasks, "every task ran once and found its data");
    if (took < least) least = took;
  }
  print_metric_of("task_ns", 1e9 * least / (double)tasks, "ns", "bytes=%ld kind=%s clause=%s",
                  bytes, kind, clause);
  passed();
  return 0;
}
