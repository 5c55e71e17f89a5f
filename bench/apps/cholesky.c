// SPDX-License-Identifier: Apache-2.0
// Blocked Cholesky factorisation of a symmetric positive definite matrix.
#include <math.h>

#include "app.h"
#include "grid.h"

static const char kUsage[] =
    "cholesky [blocks=24] [size=48] [mode=tasks|phases|serial]\n"
    "mode  tasks: with dependences; phases: with taskwaits\n"
    "The lower triangle is checked bit by bit against the serial factorisation, and that by\n"
    "multiplying it out.\n";

static int size;

static void factor(double* a) {
  for (int k = 0; k < size; k++) {
    a[k * size + k] = sqrt(a[k * size + k]);
    for (int i = k + 1; i < size; i++) a[i * size + k] /= a[k * size + k];
    for (int i = k + 1; i < size; i++)
      for (int j = k + 1; j <= i; j++) a[i * size + j] -= a[i * size + k] * a[j * size + k];
  }
}

// a := a L^-T
static void solve(const double* l, double* a) {
  for (int i = 0; i < size; i++)
    for (int k = 0; k < size; k++) {
      double value = a[i * size + k];
      for (int j = 0; j < k; j++) value -= a[i * size + j] * l[k * size + j];
      a[i * size + k] = value / l[k * size + k];
    }
}

// c := c - a b^T
static void update(const double* a, const double* b, double* c) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double value = 0;
      for (int k = 0; k < size; k++) value += a[i * size + k] * b[j * size + k];
      c[i * size + j] -= value;
    }
}

static void factorise_serial(const struct grid* g) {
  for (int k = 0; k < g->blocks; k++) {
    factor(block_at(g, k, k));
    for (int i = k + 1; i < g->blocks; i++) solve(block_at(g, k, k), block_at(g, i, k));
    for (int i = k + 1; i < g->blocks; i++)
      for (int j = k + 1; j <= i; j++)
        update(block_at(g, i, k), block_at(g, j, k), block_at(g, i, j));
  }
}

static void factorise_phases(const struct grid* g) {
  for (int k = 0; k < g->blocks; k++) {
    factor(block_at(g, k, k));
    for (int i = k + 1; i < g->blocks; i++) {
#pragma omp task TIEDNESS firstprivate(i, k)
      solve(block_at(g, k, k), block_at(g, i, k));
    }
#pragma omp taskwait
    for (int i = k + 1; i < g->blocks; i++)
      for (int j = k + 1; j <= i; j++) {
#pragma omp task TIEDNESS firstprivate(i, j, k)
        update(block_at(g, i, k), block_at(g, j, k), block_at(g, i, j));
      }
#pragma omp taskwait
  }
}

static void factorise_tasks(const struct grid* g) {
  for (int k = 0; k < g->blocks; k++) {
    double* diagonal = block_at(g, k, k);
#pragma omp task TIEDNESS depend(inout : *diagonal)
    factor(diagonal);
    for (int i = k + 1; i < g->blocks; i++) {
      double* column = block_at(g, i, k);
#pragma omp task TIEDNESS depend(in : *diagonal) depend(inout : *column)
      solve(diagonal, column);
    }
    for (int i = k + 1; i < g->blocks; i++)
      for (int j = k + 1; j <= i; j++) {
        double *a = block_at(g, i, k), *b = block_at(g, j, k), *c = block_at(g, i, j);
#pragma omp task TIEDNESS depend(in : *a, *b) depend(inout : *c)
        update(a, b, c);
      }
  }
}

static double* cell_at(const struct grid* g, int row, int column) {
  return &block_at(g, row / size, column / size)[row % size * size + column % size];
}

static struct grid new_matrix(int blocks) {
  struct grid g = new_grid(blocks, size);
  int n = blocks * size;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) *cell_at(&g, j, i) = *cell_at(&g, i, j);
    *cell_at(&g, i, i) += n;  // diagonally dominant, so positive definite
  }
  return g;
}

// Compares (L L^T) r with A r for a vector of ones.
static double furthest_off(const struct grid* a, const struct grid* l) {
  int n = a->blocks * size;
  double* sums = calloc((size_t)n, sizeof *sums);
  double furthest = 0;
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) sums[j] += *cell_at(l, i, j);
  for (int i = 0; i < n; i++) {
    double off = 0;
    for (int j = 0; j < n; j++) off -= *cell_at(a, i, j);
    for (int j = 0; j <= i; j++) off += *cell_at(l, i, j) * sums[j];
    furthest = fmax(furthest, fabs(off));
  }
  free(sums);
  return furthest;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int blocks = (int)arg_number(argc, argv, "blocks", 24);
  size = (int)arg_number(argc, argv, "size", 48);
  const char* mode = arg_text(argc, argv, "mode", "tasks");
  require(blocks >= 1 && size >= 1, "blocks and size are at least 1");
  struct grid a = new_matrix(blocks), expected = new_matrix(blocks), original = new_matrix(blocks);

  double start = seconds();
  factorise_serial(&expected);
  double serial = seconds() - start, took = serial;
  if (strcmp(mode, "serial") != 0) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    {
      if (strcmp(mode, "phases") == 0)
        factorise_phases(&a);
      else
        factorise_tasks(&a);
    }
    took = seconds() - start;
    require(same_cells(&a, &expected), "the factors of the serial computation");
  }
  double n = blocks * size;
  require(furthest_off(&original, &expected) < 1e-10 * n * n, "the serial factors multiply out");
  report_app(serial, took);
  return 0;
}
