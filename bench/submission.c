// SPDX-License-Identifier: Apache-2.0
// One graph submitted by many tasks: the example for bobbin_set_task_transparent of bobbin.h.
//
// It computes products of blocked matrices, X' += X M, X'' += X' M..., with one small task for each
// product of three blocks: n^3 tasks on 3 n^2 addresses per step. The recursion splits each level
// into eight parts:
//   single       one task goes through the recursion and submits all small tasks
//   taskwait     each part above the grain is also a task, which submits its own parts. It waits
//                for them, so that tasks that depend on the part need not know them
//   transparent  the same without the waits: the parts begin at once, and the tasks that depend on
//                a block wait for the small tasks at that block
#include <bobbin/bobbin.h>
#include <stdint.h>

#include "common.h"
#include "statistics.h"

// Weak, so that the program links with any OpenMP runtime.
#pragma weak bobbin_set_task_transparent

static const char kUsage[] =
    "submission [blocks=16] [size=8] [grain=8] [steps=8] [reps=9]\n"
    "blocks  in a row of a matrix, a power of two; size: of a block; grain: blocks in a row of "
    "the\n"
    "        parts that are not divided any more\n"
    "Alternates between the three ways, and prints their medians. Checked against the serial\n"
    "computation.\n";

enum way { kSerial, kSingle, kTaskwait, kTransparent, kWays };

static int blocks, size, grain;
static enum way way;

// A square part of a matrix of blocks. Its cells are numbers modulo 2^32, so that all orders of
// addition give the same result.
struct part {
  uint32_t* cells;
  int n;  // blocks in one of its rows
};

static uint32_t* block_at(struct part p, int row, int column) {
  return p.cells + (size_t)(row * blocks + column) * (size_t)(size * size);
}

static struct part quarter(struct part p, int row, int column) {
  int half = p.n / 2;
  return (struct part){block_at(p, row * half, column * half), half};
}

static void multiply_blocks(uint32_t* restrict c, const uint32_t* a, const uint32_t* b) {
  const int n = size;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void submit_blocks(struct part c, struct part a, struct part b) {
  for (int i = 0; i < c.n; i++)
    for (int k = 0; k < c.n; k++)
      for (int j = 0; j < c.n; j++) {
        uint32_t* to = block_at(c, i, j);
        const uint32_t *left = block_at(a, i, k), *right = block_at(b, k, j);
        if (way == kSerial) {
          multiply_blocks(to, left, right);
          continue;
        }
#pragma omp task depend(inout : *to) depend(in : *left, *right) firstprivate(to, left, right)
        multiply_blocks(to, left, right);
      }
}

static void submit_parts(struct part c, struct part a, struct part b);

static void submit(struct part c, struct part a, struct part b) {
  if (way == kSerial || way == kSingle) {
    submit_parts(c, a, b);
    return;
  }
  if (way == kTransparent) bobbin_set_task_transparent(bobbin_impex);
#pragma omp task depend(iterator(i = 0 : c.n, j = 0 : c.n), inout : *block_at(c, i, j)) \
    depend(iterator(i = 0 : c.n, j = 0 : c.n), in : *block_at(a, i, j), *block_at(b, i, j))
  {
    submit_parts(c, a, b);
    if (way == kTaskwait) {
#pragma omp taskwait
    }
  }
}

static void submit_parts(struct part c, struct part a, struct part b) {
  if (c.n <= grain) {
    submit_blocks(c, a, b);
    return;
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) submit(quarter(c, i, j), quarter(a, i, k), quarter(b, k, j));
}

// x[0] is given. Returns the time.
static double multiply(struct part* x, struct part factor, int steps) {
  size_t cells = (size_t)blocks * (size_t)blocks * (size_t)(size * size);
  for (int s = 1; s <= steps; s++) memset(x[s].cells, 0, cells * sizeof(uint32_t));
  double start = seconds();
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < steps; s++) submit(x[s + 1], x[s], factor);
  return seconds() - start;
}

static struct part make_matrix(uint32_t seed) {
  size_t cells = (size_t)blocks * (size_t)blocks * (size_t)(size * size);
  struct part p = {malloc(cells * sizeof(uint32_t)), blocks};
  require(p.cells != NULL, "memory for the matrices");
  for (size_t i = 0; i < cells; i++) p.cells[i] = seed = seed * 1664525u + 1013904223u;
  return p;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  blocks = (int)arg_number(argc, argv, "blocks", 16);
  size = (int)arg_number(argc, argv, "size", 8);
  grain = (int)arg_number(argc, argv, "grain", 8);
  int steps = (int)arg_number(argc, argv, "steps", 8);
  int reps = (int)arg_number(argc, argv, "reps", 9);
  require(
      blocks > 0 && (blocks & (blocks - 1)) == 0 && size > 0 && grain > 0 && steps > 0 && reps > 0,
      "positive numbers, and a power of two");

  struct part* x = malloc((size_t)(steps + 1) * sizeof *x);
  double* took = malloc((size_t)(kWays * reps) * sizeof *took);
  require(x != NULL && took != NULL, "memory");
  for (int s = 0; s <= steps; s++) x[s] = make_matrix((uint32_t)s);
  struct part factor = make_matrix(12345);
  struct part right = make_matrix(0);
  size_t bytes = (size_t)blocks * (size_t)blocks * (size_t)(size * size) * sizeof(uint32_t);
  const enum way ways = bobbin_set_task_transparent != NULL ? kWays : kTransparent;
  for (int r = 0; r < reps; r++) {
    for (way = kSerial; way < ways; way++) {
      took[(int)way * reps + r] = multiply(x, factor, steps);
      if (r == 0 && way == kSerial) memcpy(right.cells, x[steps].cells, bytes);
      require(memcmp(right.cells, x[steps].cells, bytes) == 0, "the serial computation's result");
    }
  }
  static const char* const names[] = {"serial", "single", "taskwait", "transparent"};
  double tasks = (double)steps * blocks * blocks * blocks;
  for (way = kSerial; way < ways; way++) {
    double ns = 1e9 * summarise(took + (int)way * reps, reps).median / tasks;
    print_metric_of("task_ns", ns, "ns", "way=%s", names[way]);
  }
  for (int s = 0; s <= steps; s++) free(x[s].cells);
  free(factor.cells);
  free(right.cells);
  free(x);
  free(took);
  passed();
  return 0;
}
