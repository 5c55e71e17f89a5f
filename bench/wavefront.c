// SPDX-License-Identifier: Apache-2.0
// A wavefront: a block depends on the block above and the block to its left, in sweep after sweep.
// The cells are compared, bit by bit, with a serial computation.
#include <omp.h>

#include "common.h"
#include "grid.h"

static const char kUsage[] = "wavefront [blocks=32] [size=8] [sweeps=200] [mode=tasks|serial]\n";

// Computes each row from the row above it (the first one from the last row of the block above) and
// from the last column of the block to the left.
static void advance(const struct grid* g, int row, int column) {
  const int n = g->size;
  double* here = block_at(g, row, column);
  const double* left = column > 0 ? block_at(g, row, column - 1) : here;
  if (row > 0) {
    const double* up = block_at(g, row - 1, column) + (n - 1) * n;
    for (int j = 0; j < n; j++) here[j] = 0.5 * here[j] + 0.25 * (up[j] + left[n - 1]);
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      here[i * n + j] =
          0.5 * here[i * n + j] + 0.25 * (here[(i - 1) * n + j] + left[i * n + n - 1]);
}

static double sweep_all(struct grid* g, int sweeps, int serial) {
  double start = seconds();
  if (serial) {
    for (int s = 0; s < sweeps; s++)
      for (int row = 0; row < g->blocks; row++)
        for (int column = 0; column < g->blocks; column++) advance(g, row, column);
    return seconds() - start;
  }
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < sweeps; s++)
    for (int row = 0; row < g->blocks; row++)
      for (int column = 0; column < g->blocks; column++) {
        double* here = block_at(g, row, column);
        double* up = block_at(g, row > 0 ? row - 1 : row, column);
        double* left = block_at(g, row, column > 0 ? column - 1 : column);
        if (row > 0 && column > 0) {
#pragma omp task depend(in : *up, *left) depend(inout : *here) firstprivate(row, column, g)
          advance(g, row, column);
        } else if (row > 0 || column > 0) {
          double* before = row > 0 ? up : left;
#pragma omp task depend(in : *before) depend(inout : *here) firstprivate(row, column, g)
          advance(g, row, column);
        } else {
#pragma omp task depend(inout : *here) firstprivate(row, column, g)
          advance(g, row, column);
        }
      }
  return seconds() - start;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int blocks = (int)arg_number(argc, argv, "blocks", 32);
  int size = (int)arg_number(argc, argv, "size", 8);
  int sweeps = (int)arg_number(argc, argv, "sweeps", 200);
  int serial = strcmp(arg_text(argc, argv, "mode", "tasks"), "serial") == 0;
  struct grid a = new_grid(blocks, size), b = new_grid(blocks, size);
  sweep_all(&b, sweeps, 1);
  double took = sweep_all(&a, sweeps, serial);
  require(same_cells(&a, &b), "the cells of the serial computation");
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("task_ns", 1e9 * took / ((double)blocks * blocks * sweeps), "ns");
  passed();
  return 0;
}
