// SPDX-License-Identifier: Apache-2.0
// Strassen's product of two matrices: seven half-size products, each a task.
//
// mode=phases  tasks with taskwaits between sums, products and results
// mode=tasks   every sum, product and result is a task with dependences
#include <math.h>

#include "app.h"

static const char kUsage[] =
    "strassen [n=512] [leaf=64] [cutoff=none|if|final|manual] [depth=4]\n"
    "         [mode=tasks|phases|serial]\n"
    "n     size of the matrices: leaf times a power of two\n"
    "mode  tasks: with dependences; phases: with taskwaits\n";

static int leaf;

struct matrix {
  double* cells;
  int row;  // distance from one row to the next, in cells
};

enum { k11, k12, k21, k22, kQuarters };
enum { kProducts = 7 };

// Product i multiplies this sum of A's quarters with this sum of B's quarters.
static const signed char kLeft[kProducts][kQuarters] = {{1, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 0},
                                                        {0, 0, 0, 1}, {1, 1, 0, 0}, {-1, 0, 1, 0},
                                                        {0, 1, 0, -1}};
static const signed char kRight[kProducts][kQuarters] = {{1, 0, 0, 1},  {1, 0, 0, 0}, {0, 1, 0, -1},
                                                         {-1, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0},
                                                         {0, 0, 1, 1}};
// A quarter of C is this sum of the products.
static const signed char kResult[kQuarters][kProducts] = {
    {1, 0, 0, 1, -1, 0, 1}, {0, 0, 1, 0, 1, 0, 0}, {0, 1, 0, 1, 0, 0, 0}, {1, -1, 1, 0, 0, 1, 0}};

static struct matrix quarter(struct matrix m, int half, int which) {
  struct matrix part = {m.cells + (which / 2) * half * m.row + (which % 2) * half, m.row};
  return part;
}

static void sum(int n, const struct matrix* parts, const signed char* signs, int count,
                struct matrix out) {
  for (int i = 0; i < n; i++) {
    double* to = out.cells + i * out.row;
    for (int j = 0; j < n; j++) to[j] = 0;
    for (int p = 0; p < count; p++) {
      const double* from = parts[p].cells + i * parts[p].row;
      if (signs[p] > 0)
        for (int j = 0; j < n; j++) to[j] += from[j];
      if (signs[p] < 0)
        for (int j = 0; j < n; j++) to[j] -= from[j];
    }
  }
}

static void multiply_plain(int n, struct matrix a, struct matrix b, struct matrix c) {
  for (int i = 0; i < n; i++) {
    double* to = c.cells + i * c.row;
    for (int j = 0; j < n; j++) to[j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) to[j] += a.cells[i * a.row + k] * b.cells[k * b.row + j];
  }
}

// Memory for the operands and the products of one level.
struct level {
  int half;
  struct matrix a[kQuarters], b[kQuarters], c[kQuarters];
  struct matrix left[kProducts], right[kProducts], product[kProducts];
  double* memory;
};

static struct level new_level(int n, struct matrix a, struct matrix b, struct matrix c) {
  struct level level;
  size_t cells = (size_t)n / 2 * (size_t)n / 2;
  level.half = n / 2;
  level.memory = malloc(3 * kProducts * cells * sizeof(double));
  require(level.memory != NULL, "memory for the products");
  for (int q = 0; q < kQuarters; q++) {
    level.a[q] = quarter(a, n / 2, q);
    level.b[q] = quarter(b, n / 2, q);
    level.c[q] = quarter(c, n / 2, q);
  }
  for (int p = 0; p < kProducts; p++) {
    struct matrix left = {level.memory + (size_t)p * cells, n / 2};
    struct matrix right = {level.memory + (size_t)(kProducts + p) * cells, n / 2};
    struct matrix product = {level.memory + (size_t)(2 * kProducts + p) * cells, n / 2};
    level.left[p] = left;
    level.right[p] = right;
    level.product[p] = product;
  }
  return level;
}

static void make_left(const struct level* l, int p) {
  sum(l->half, l->a, kLeft[p], kQuarters, l->left[p]);
}
static void make_right(const struct level* l, int p) {
  sum(l->half, l->b, kRight[p], kQuarters, l->right[p]);
}
static void make_result(const struct level* l, int q) {
  sum(l->half, l->product, kResult[q], kProducts, l->c[q]);
}

static void multiply_serial(int n, struct matrix a, struct matrix b, struct matrix c) {
  if (n <= leaf) {
    multiply_plain(n, a, b, c);
    return;
  }
  struct level level = new_level(n, a, b, c);
  for (int p = 0; p < kProducts; p++) {
    make_left(&level, p);
    make_right(&level, p);
    multiply_serial(level.half, level.left[p], level.right[p], level.product[p]);
  }
  for (int q = 0; q < kQuarters; q++) make_result(&level, q);
  free(level.memory);
}

static void multiply_phases(int n, struct matrix a, struct matrix b, struct matrix c, int depth) {
  if (n <= leaf || serial_at(depth)) {
    multiply_serial(n, a, b, c);
    return;
  }
  struct level level = new_level(n, a, b, c);
  struct level* l = &level;
  for (int p = 0; p < kProducts; p++) {
#pragma omp task TIEDNESS firstprivate(l, p) if (deferred_at(depth)) final(final_at(depth))
    {
      make_left(l, p);
      make_right(l, p);
      multiply_phases(l->half, l->left[p], l->right[p], l->product[p], depth + 1);
    }
  }
#pragma omp taskwait
  for (int q = 0; q < kQuarters; q++) {
#pragma omp task TIEDNESS firstprivate(l, q) if (deferred_at(depth)) final(final_at(depth))
    make_result(l, q);
  }
#pragma omp taskwait
  free(level.memory);
}

static void multiply_tasks(int n, struct matrix a, struct matrix b, struct matrix c, int depth) {
  if (n <= leaf || serial_at(depth)) {
    multiply_serial(n, a, b, c);
    return;
  }
  struct level level = new_level(n, a, b, c);
  struct level* l = &level;
  double* m[kProducts];
  for (int p = 0; p < kProducts; p++) {
    double *left = l->left[p].cells, *right = l->right[p].cells;
    m[p] = l->product[p].cells;
#pragma omp task TIEDNESS firstprivate(l, p) depend(out : *left) if (deferred_at(depth)) \
    final(final_at(depth))
    make_left(l, p);
#pragma omp task TIEDNESS firstprivate(l, p) depend(out : *right) if (deferred_at(depth)) \
    final(final_at(depth))
    make_right(l, p);
#pragma omp task TIEDNESS firstprivate(l, p) depend(in : *left, *right) \
    depend(out : *m[p]) if (deferred_at(depth)) final(final_at(depth))
    multiply_tasks(l->half, l->left[p], l->right[p], l->product[p], depth + 1);
  }
#pragma omp task TIEDNESS firstprivate(l) \
    depend(in : *m[0], *m[3], *m[4], *m[6]) if (deferred_at(depth)) final(final_at(depth))
  make_result(l, k11);
#pragma omp task TIEDNESS firstprivate(l) depend(in : *m[2], *m[4]) if (deferred_at(depth)) \
    final(final_at(depth))
  make_result(l, k12);
#pragma omp task TIEDNESS firstprivate(l) depend(in : *m[1], *m[3]) if (deferred_at(depth)) \
    final(final_at(depth))
  make_result(l, k21);
#pragma omp task TIEDNESS firstprivate(l) \
    depend(in : *m[0], *m[1], *m[2], *m[5]) if (deferred_at(depth)) final(final_at(depth))
  make_result(l, k22);
#pragma omp taskwait
  free(level.memory);
}

static struct matrix new_matrix(int n, unsigned random) {
  struct matrix m = {malloc((size_t)n * (size_t)n * sizeof(double)), n};
  require(m.cells != NULL, "memory for the matrices");
  for (int i = 0; i < n * n; i++) m.cells[i] = ldexp(next_random(&random), -24) - 0.5;
  return m;
}

// Compares C r with A (B r) for a vector of ones.
static double furthest_off(int n, struct matrix a, struct matrix b, struct matrix c) {
  double* sums = calloc((size_t)n, sizeof *sums);
  double furthest = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sums[i] += b.cells[i * n + j];
  for (int i = 0; i < n; i++) {
    double off = 0;
    for (int j = 0; j < n; j++) off += a.cells[i * n + j] * sums[j] - c.cells[i * n + j];
    furthest = fmax(furthest, fabs(off));
  }
  free(sums);
  return furthest;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  read_variant(argc, argv);
  int n = (int)arg_number(argc, argv, "n", 512);
  leaf = (int)arg_number(argc, argv, "leaf", 64);
  int phases = strcmp(arg_text(argc, argv, "mode", "tasks"), "phases") == 0;
  int halved = n;
  while (halved > leaf && halved % 2 == 0) halved /= 2;
  require(n > 0 && halved <= leaf, "n is halved down to leaf");
  struct matrix a = new_matrix(n, 1), b = new_matrix(n, 2);
  struct matrix c = new_matrix(n, 3), expected = new_matrix(n, 4);

  double start = seconds();
  multiply_serial(n, a, b, expected);
  double serial = seconds() - start, took = serial;
  if (!variant.serial) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    {
      if (phases)
        multiply_phases(n, a, b, c, 0);
      else
        multiply_tasks(n, a, b, c, 0);
    }
    took = seconds() - start;
    require(memcmp(c.cells, expected.cells, (size_t)n * (size_t)n * sizeof(double)) == 0,
            "the cells of the serial product");
  }
  require(furthest_off(n, a, b, expected) < 1e-9 * n * n, "the serial product is the product");
  report_app(serial, took);
  return 0;
}
