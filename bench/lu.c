// SPDX-License-Identifier: Apache-2.0
// Blocked LU factorisation by tasks, without pivoting. The matrix is dense, or most of its blocks
// are absent.
#include "apps/app.h"

static const char kUsage[] =
    "lu [blocks=32] [size=8] [fill=1] [times=5] [mode=tasks|phases|serial]\n"
    "mode  tasks: with dependences; phases: with taskwaits\n"
    "`fill` below 1 leaves that share of the blocks off the diagonal in place at the start; the\n"
    "rest come into being where the factorisation fills in. Checked bit by bit against the serial\n"
    "factorisation.\n";

static int size;

static void factor(double* a) {
  for (int k = 0; k < size; k++)
    for (int i = k + 1; i < size; i++) {
      a[i * size + k] /= a[k * size + k];
      for (int j = k + 1; j < size; j++) a[i * size + j] -= a[i * size + k] * a[k * size + j];
    }
}

// row block := L(diagonal)^-1 row block
static void solve_row(const double* diagonal, double* a) {
  for (int k = 0; k < size; k++)
    for (int i = k + 1; i < size; i++)
      for (int j = 0; j < size; j++) a[i * size + j] -= diagonal[i * size + k] * a[k * size + j];
}

// column block := column block U(diagonal)^-1
static void solve_column(const double* diagonal, double* a) {
  for (int i = 0; i < size; i++)
    for (int k = 0; k < size; k++) {
      a[i * size + k] /= diagonal[k * size + k];
      for (int j = k + 1; j < size; j++)
        a[i * size + j] -= a[i * size + k] * diagonal[k * size + j];
    }
}

static void update(const double* column, const double* row, double* a) {
  for (int i = 0; i < size; i++)
    for (int k = 0; k < size; k++)
      for (int j = 0; j < size; j++) a[i * size + j] -= column[i * size + k] * row[k * size + j];
}

static double** new_matrix(int blocks, double fill) {
  double** matrix = calloc((size_t)blocks * blocks, sizeof *matrix);
  unsigned random = 12345;
  for (int i = 0; i < blocks; i++)
    for (int j = 0; j < blocks; j++) {
      random = random * 1664525u + 1013904223u;
      int near = abs(i - j) <= 1;
      if (!near && (double)(random >> 8) / (1 << 24) >= fill) continue;
      double* a = matrix[i * blocks + j] = calloc((size_t)size * size, sizeof *a);
      for (int k = 0; k < size * size; k++) {
        random = random * 1664525u + 1013904223u;
        a[k] = (double)(random >> 8) / (1 << 24);
      }
      if (i == j)  // diagonally dominant, so that no pivoting is needed
        for (int k = 0; k < size; k++) a[k * size + k] += 2.0 * size * blocks;
    }
  return matrix;
}

static void free_matrix(double** matrix, int blocks) {
  for (int i = 0; i < blocks * blocks; i++) free(matrix[i]);
  free(matrix);
}

// Returns the block, and makes it when the factorisation fills it in. Only the thread that makes
// the tasks calls this.
static double* filled(double** matrix, int blocks, int i, int j) {
  double** slot = &matrix[i * blocks + j];
  if (*slot == NULL) *slot = calloc((size_t)size * size, sizeof **slot);
  return *slot;
}

static long factorise_serial(double** m, int blocks) {
  long tasks = 0;
  for (int k = 0; k < blocks; k++) {
    double* diagonal = m[k * blocks + k];
    factor(diagonal), tasks++;
    for (int j = k + 1; j < blocks; j++)
      if (m[k * blocks + j] != NULL) solve_row(diagonal, m[k * blocks + j]), tasks++;
    for (int i = k + 1; i < blocks; i++)
      if (m[i * blocks + k] != NULL) solve_column(diagonal, m[i * blocks + k]), tasks++;
    for (int i = k + 1; i < blocks; i++)
      for (int j = k + 1; j < blocks; j++)
        if (m[i * blocks + k] != NULL && m[k * blocks + j] != NULL)
          update(m[i * blocks + k], m[k * blocks + j], filled(m, blocks, i, j)), tasks++;
  }
  return tasks;
}

static void factorise_tasks(double** m, int blocks) {
  for (int k = 0; k < blocks; k++) {
    double* diagonal = m[k * blocks + k];
#pragma omp task TIEDNESS depend(inout : *diagonal) firstprivate(diagonal)
    factor(diagonal);
    for (int j = k + 1; j < blocks; j++) {
      double* row = m[k * blocks + j];
      if (row == NULL) continue;
#pragma omp task TIEDNESS depend(in : *diagonal) depend(inout : *row) firstprivate(diagonal, row)
      solve_row(diagonal, row);
    }
    for (int i = k + 1; i < blocks; i++) {
      double* column = m[i * blocks + k];
      if (column == NULL) continue;
#pragma omp task TIEDNESS depend(in : *diagonal) depend(inout : *column) \
    firstprivate(diagonal, column)
      solve_column(diagonal, column);
    }
    for (int i = k + 1; i < blocks; i++)
      for (int j = k + 1; j < blocks; j++) {
        double* column = m[i * blocks + k];
        double* row = m[k * blocks + j];
        if (column == NULL || row == NULL) continue;
        double* a = filled(m, blocks, i, j);
#pragma omp task TIEDNESS depend(in : *column, *row) depend(inout : *a) firstprivate(column, row, a)
        update(column, row, a);
      }
  }
}

static void factorise_phases(double** m, int blocks) {
  for (int k = 0; k < blocks; k++) {
    double* diagonal = m[k * blocks + k];
    factor(diagonal);
    for (int j = k + 1; j < blocks; j++) {
      double* row = m[k * blocks + j];
      if (row == NULL) continue;
#pragma omp task TIEDNESS firstprivate(diagonal, row)
      solve_row(diagonal, row);
    }
    for (int i = k + 1; i < blocks; i++) {
      double* column = m[i * blocks + k];
      if (column == NULL) continue;
#pragma omp task TIEDNESS firstprivate(diagonal, column)
      solve_column(diagonal, column);
    }
#pragma omp taskwait
    for (int i = k + 1; i < blocks; i++)
      for (int j = k + 1; j < blocks; j++) {
        double* column = m[i * blocks + k];
        double* row = m[k * blocks + j];
        if (column == NULL || row == NULL) continue;
        double* a = filled(m, blocks, i, j);
#pragma omp task TIEDNESS firstprivate(column, row, a)
        update(column, row, a);
      }
#pragma omp taskwait
  }
}

static int same(double** a, double** b, int blocks) {
  for (int i = 0; i < blocks * blocks; i++) {
    if ((a[i] == NULL) != (b[i] == NULL)) return 0;
    if (a[i] != NULL && memcmp(a[i], b[i], sizeof(double) * (size_t)size * (size_t)size) != 0)
      return 0;
  }
  return 1;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int blocks = (int)arg_number(argc, argv, "blocks", 32);
  double fill = arg_number(argc, argv, "fill", 1);
  const char* mode = arg_text(argc, argv, "mode", "tasks");
  size = (int)arg_number(argc, argv, "size", 8);
  int times = (int)arg_number(argc, argv, "times", 5);
  double** b = new_matrix(blocks, fill);
  long tasks = factorise_serial(b, blocks);
  double took = 0;
  for (int t = 0; t < times; t++) {
    double** a = new_matrix(blocks, fill);
    double start = seconds();
    if (strcmp(mode, "serial") == 0) {
      factorise_serial(a, blocks);
    } else if (strcmp(mode, "phases") == 0) {
#pragma omp parallel
#pragma omp single
      factorise_phases(a, blocks);
    } else {
#pragma omp parallel
#pragma omp single
      factorise_tasks(a, blocks);
    }
    took += (seconds() - start) / times;
    require(same(a, b, blocks), "the factors of the serial computation");
    free_matrix(a, blocks);
  }
  free_matrix(b, blocks);
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("task_ns", 1e9 * took / (double)tasks, "ns");
  passed();
  return 0;
}
