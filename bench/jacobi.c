// SPDX-License-Identifier: Apache-2.0
// Blocked Jacobi: one task per block and sweep, which reads the block and its four neighbours and
// writes one block. The cells are compared, bit by bit, with a serial computation.
#include "apps/app.h"
#include "grid.h"

#ifdef TASKGRAPH
#define REPLAYABLE replayable
#else
#define REPLAYABLE
#endif

static const char kUsage[] =
    "jacobi [blocks=32] [size=8] [sweeps=200] [mode=tasks|phases|graph|serial]\n"
    "mode  tasks: with dependences; phases: a taskwait behind every sweep; graph: as tasks, two\n"
    "      sweeps recorded and replayed (only if built with -DTASKGRAPH, by a compiler that has\n"
    "      taskgraph)\n";

static double* beyond;  // a block of zeros: the outer neighbour of the blocks at the rim

static double* block_or_beyond(const struct grid* g, int row, int column) {
  if (row < 0 || column < 0 || row == g->blocks || column == g->blocks) return beyond;
  return block_at(g, row, column);
}

static void relax(const struct grid* from, const struct grid* to, int row, int column) {
  const int n = from->size;
  const double* a = block_at(from, row, column);
  const double* up = block_or_beyond(from, row - 1, column) + (n - 1) * n;
  const double* down = block_or_beyond(from, row + 1, column);
  const double* left = block_or_beyond(from, row, column - 1) + n - 1;
  const double* right = block_or_beyond(from, row, column + 1);
  double* restrict b = block_at(to, row, column);
  for (int i = 0; i < n; i++) {
    const double* here = a + i * n;
    const double* above = i > 0 ? here - n : up;
    const double* below = i < n - 1 ? here + n : down;
    b[i * n] = 0.25 * (above[0] + below[0] + left[i * n] + here[1]);
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    b[i * n + n - 1] = 0.25 * (above[n - 1] + below[n - 1] + here[n - 2] + right[i * n]);
  }
}

static void sweep_serial(struct grid* from, struct grid* to) {
  for (int row = 0; row < from->blocks; row++)
    for (int column = 0; column < from->blocks; column++) relax(from, to, row, column);
}

static void sweep_tasks(struct grid* from, struct grid* to) {
  for (int row = 0; row < from->blocks; row++)
    for (int column = 0; column < from->blocks; column++) {
      const double* middle = block_at(from, row, column);
      const double* up = block_or_beyond(from, row - 1, column);
      const double* down = block_or_beyond(from, row + 1, column);
      const double* left = block_or_beyond(from, row, column - 1);
      const double* right = block_or_beyond(from, row, column + 1);
      double* out = block_at(to, row, column);
#pragma omp task TIEDNESS depend(in : *middle, *up, *down, *left, *right) depend(out : *out) \
    firstprivate(row, column, from, to) REPLAYABLE
      relax(from, to, row, column);
    }
}

static void sweep_phase(struct grid* from, struct grid* to) {
  for (int row = 0; row < from->blocks; row++)
    for (int column = 0; column < from->blocks; column++) {
#pragma omp task TIEDNESS firstprivate(row, column, from, to)
      relax(from, to, row, column);
    }
#pragma omp taskwait
}

#ifdef TASKGRAPH
enum { kRecorded = 2 };

static void sweep_graph(struct grid* a, struct grid* b, int sweeps) {
  require(sweeps % kRecorded == 0, "an even number of sweeps");
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < sweeps; s += kRecorded) {
#pragma omp taskgraph
    for (int one = 0; one < kRecorded; one++) one % 2 == 0 ? sweep_tasks(a, b) : sweep_tasks(b, a);
  }
}
#else
static void sweep_graph(struct grid* a, struct grid* b, int sweeps) {
  (void)a, (void)b, (void)sweeps;
  require(0, "a program built with -DTASKGRAPH");
}
#endif

static double solve(struct grid* a, struct grid* b, int sweeps, const char* mode) {
  double start = seconds();
  if (strcmp(mode, "phases") == 0) {
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < sweeps; s++) s % 2 == 0 ? sweep_phase(a, b) : sweep_phase(b, a);
  } else if (strcmp(mode, "graph") == 0) {
    sweep_graph(a, b, sweeps);
  } else if (strcmp(mode, "serial") == 0) {
    for (int s = 0; s < sweeps; s++) s % 2 == 0 ? sweep_serial(a, b) : sweep_serial(b, a);
  } else {
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < sweeps; s++) s % 2 == 0 ? sweep_tasks(a, b) : sweep_tasks(b, a);
  }
  return seconds() - start;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int blocks = (int)arg_number(argc, argv, "blocks", 32);
  int size = (int)arg_number(argc, argv, "size", 8);
  int sweeps = (int)arg_number(argc, argv, "sweeps", 200);
  const char* mode = arg_text(argc, argv, "mode", "tasks");
  beyond = calloc((size_t)size * (size_t)size, sizeof *beyond);
  require(beyond != NULL && size >= 2, "blocks of at least 2 by 2");
  struct grid a = new_grid(blocks, size), b = new_grid(blocks, size);
  struct grid c = new_grid(blocks, size), d = new_grid(blocks, size);
  solve(&c, &d, sweeps, "serial");
  double took = solve(&a, &b, sweeps, mode);
  require(same_cells(&a, &c) && same_cells(&b, &d), "the cells of the serial computation");
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("task_ns", 1e9 * took / ((double)blocks * blocks * sweeps), "ns");
  passed();
  return 0;
}
