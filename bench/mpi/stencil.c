/* SPDX-License-Identifier: Apache-2.0
 *
 * The Poisson equation in a cube of points, by a stencil of seven points. The ranks divide the cube
 * into slabs, and the threads divide a slab into blocks of planes.
 *
 *   mpirun -n RANKS stencil jacobi|cg WAY [STEPS]
 *
 *   loops    fork-join: halos are exchanged between loops over the blocks
 *   mpi      the same with one thread in each rank
 *   tasks    a task for each block and each halo; tasks that receive and send block
 *
 * jacobi: sweeps, each of which reads the last one's result; compared with a serial sweep.
 * cg: conjugate gradients, for a system whose solution is known; the residual is checked, too. */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSize = 96, kBlock = 8, kRow = kSize + 2, kPlane = kRow * kRow, kEnough = 250 };

typedef double Plane[kRow][kRow];

static int rank, ranks, planes, blocks, steps;
static int with_tasks;
static char token[2][kSize / kBlock + 2]; /* stand for blocks and halos in depend clauses */

/* With the edge of the cube, and with halos as the first and the last plane. All zero. */
static Plane* make_slab(int height) {
  Plane* slab = calloc((size_t)height + 2, sizeof *slab);
  if (slab == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  return slab;
}

static double around(Plane* v, int z, int y, int x) {
  return v[z - 1][y][x] + v[z + 1][y][x] + v[z][y - 1][x] + v[z][y + 1][x] + v[z][y][x - 1] +
         v[z][y][x + 1];
}

#define EACH_POINT(first, last)          \
  for (int z = (first); z < (last); z++) \
    for (int y = 1; y <= kSize; y++)     \
      for (int x = 1; x <= kSize; x++)

static int first_of(int block) { return 1 + (block - 1) * kBlock; }

/* --- Halos. Messages downwards have even tags, and two steps have different ones. */

static int below(void) { return rank > 0 ? rank - 1 : MPI_PROC_NULL; }
static int above(void) { return rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL; }

static void receive(Plane* v, int z, int from, int tag) {
  MPI_Recv(v[z], kPlane, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(Plane* v, int z, int to, int tag) {
  MPI_Send(v[z], kPlane, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}

static void exchange(Plane* v) {
  MPI_Request requests[2];
  MPI_Irecv(v[0], kPlane, MPI_DOUBLE, below(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(v[planes + 1], kPlane, MPI_DOUBLE, above(), 0, MPI_COMM_WORLD, &requests[1]);
  send(v, 1, below(), 0);
  send(v, planes, above(), 1);
  for (int i = 0; i < 2; i++) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

/* The same by tasks. The blocks of v are written by tasks with the tokens of `kind`. */
static void exchange_tasks(Plane* v, int kind) {
  const int tag = 2 * kind;
  if (rank > 0) {
#pragma omp task depend(in : token[kind][1])
    send(v, 1, rank - 1, tag);
#pragma omp task depend(out : token[kind][0])
    receive(v, 0, rank - 1, tag + 1);
  }
  if (rank < ranks - 1) {
#pragma omp task depend(in : token[kind][blocks])
    send(v, planes, rank + 1, tag + 1);
#pragma omp task depend(out : token[kind][blocks + 1])
    receive(v, planes + 1, rank + 1, tag);
  }
}

/* --- Jacobi. */

static double source(int plane, int y, int x) { return (plane * 7 + y * 5 + x * 3) % 11 / 100.0; }

static void sweep(Plane* to, Plane* from, int first, int last, int bottom) {
  EACH_POINT(first, last) to[z][y][x] = (source(bottom + z, y, x) + around(from, z, y, x)) / 6;
}

static void jacobi_by_loops(Plane** u) {
  for (int step = 0; step < steps; step++) {
    Plane *from = u[step % 2], *to = u[1 - step % 2];
    exchange(from);
#pragma omp parallel for schedule(dynamic, 1)
    for (int b = 1; b <= blocks; b++) {
      sweep(to, from, first_of(b), first_of(b + 1), rank * planes);
    }
  }
}

static void jacobi_by_tasks(Plane** u) {
#pragma omp parallel
#pragma omp single
  for (int step = 0; step < steps; step++) {
    const int old = step % 2, new = 1 - old;
    Plane *from = u[old], *to = u[new];
    exchange_tasks(from, old);
    for (int b = 1; b <= blocks; b++) {
#pragma omp task depend(out : token[new][b]) \
    depend(in : token[old][b - 1], token[old][b], token[old][b + 1])
      sweep(to, from, first_of(b), first_of(b + 1), rank * planes);
    }
  }
}

static int jacobi_is_right(Plane* result) {
  Plane* all[2] = {make_slab(kSize), make_slab(kSize)};
  int right = 1;
  for (int step = 0; step < steps; step++) {
    sweep(all[1 - step % 2], all[step % 2], 1, kSize + 1, 0);
  }
  for (int z = 1; z <= planes; z++) {
    right &= memcmp(result[z], all[steps % 2][rank * planes + z], sizeof(Plane)) == 0;
  }
  free(all[0]);
  free(all[1]);
  return right;
}

static int jacobi(double* seconds) {
  Plane* u[2] = {make_slab(planes), make_slab(planes)};
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  (with_tasks ? jacobi_by_tasks : jacobi_by_loops)(u);
  MPI_Barrier(MPI_COMM_WORLD);
  *seconds = MPI_Wtime() - begin;
  return jacobi_is_right(u[steps % 2]);
}

/* --- Conjugate gradients. Sums are made block by block, so that all ways have the same. */

static Plane *solution, *residual, *direction, *image;
static double part[kSize / kBlock + 2];

static double total(void) {
  double mine = 0, all;
  for (int b = 1; b <= blocks; b++) mine += part[b];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static void apply(int b, double unused) {
  (void)unused;
  double sum = 0;
  EACH_POINT(first_of(b), first_of(b + 1)) {
    image[z][y][x] = 6 * direction[z][y][x] - around(direction, z, y, x);
    sum += image[z][y][x] * direction[z][y][x];
  }
  part[b] = sum;
}

static void advance(int b, double alpha) {
  double sum = 0;
  EACH_POINT(first_of(b), first_of(b + 1)) {
    solution[z][y][x] += alpha * direction[z][y][x];
    residual[z][y][x] -= alpha * image[z][y][x];
    sum += residual[z][y][x] * residual[z][y][x];
  }
  part[b] = sum;
}

static void turn(int b, double beta) {
  EACH_POINT(first_of(b), first_of(b + 1)) {
    direction[z][y][x] = residual[z][y][x] + beta * direction[z][y][x];
  }
}

static void each_block(void (*work)(int, double), double factor) {
  if (with_tasks) {
    for (int b = 1; b <= blocks; b++) {
#pragma omp task
      work(b, factor);
    }
#pragma omp taskwait
  } else {
#pragma omp parallel for schedule(dynamic, 1)
    for (int b = 1; b <= blocks; b++) work(b, factor);
  }
}

/* Blocks that need no halo do not wait for one. */
static void apply_tasks(void) {
  exchange_tasks(direction, 0);
  for (int b = 1; b <= blocks; b++) {
#pragma omp task depend(in : token[0][b - 1], token[0][b], token[0][b + 1])
    apply(b, 0);
  }
#pragma omp taskwait
}

static void iterate(double square) {
  for (int step = 0; step < steps; step++) {
    if (with_tasks) {
      apply_tasks();
    } else {
      exchange(direction);
      each_block(apply, 0);
    }
    each_block(advance, square / total());
    const double next = total();
    each_block(turn, next / square);
    square = next;
  }
}

/* The residual, which was carried from step to step, is that of the solution: A (1 - x). After
 * enough steps the solution is found. */
static int cg_is_right(void) {
  double error = 0, difference = 0;
  EACH_POINT(1, planes + 1) {
    direction[z][y][x] = 1 - solution[z][y][x];
    error = fmax(error, fabs(direction[z][y][x]));
  }
  exchange(direction);
  for (int b = 1; b <= blocks; b++) apply(b, 0);
  EACH_POINT(1, planes + 1) {
    difference = fmax(difference, fabs(image[z][y][x] - residual[z][y][x]));
  }
  return difference < 1e-9 && error < (steps < kEnough ? 10 : 1e-6);
}

/* The solution is 1 everywhere, so that the right side is what the edge leaves. */
static int conjugate_gradients(double* seconds) {
  solution = make_slab(planes), residual = make_slab(planes);
  direction = make_slab(planes), image = make_slab(planes);
  EACH_POINT(0, planes + 2) {
    const int plane = rank * planes + z;
    direction[z][y][x] = plane >= 1 && plane <= kSize;
  }
  for (int b = 1; b <= blocks; b++) apply(b, 0);
  memcpy(residual, image, (size_t)(planes + 2) * sizeof(Plane));
  memcpy(direction, residual, (size_t)(planes + 2) * sizeof(Plane));
  for (int b = 1; b <= blocks; b++) advance(b, 0);
  const double square = total();
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (with_tasks) {
#pragma omp parallel
#pragma omp single
    iterate(square);
  } else {
    iterate(square);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  *seconds = MPI_Wtime() - begin;
  return cg_is_right();
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* method = argc > 1 ? argv[1] : "jacobi";
  const char* way = argc > 2 ? argv[2] : "tasks";
  const int by_cg = strcmp(method, "cg") == 0;
  with_tasks = strcmp(way, "tasks") == 0;
  steps = argc > 3 ? atoi(argv[3]) : by_cg ? kEnough : 50;
  planes = kSize / ranks;
  blocks = planes / kBlock;
  if (strcmp(way, "mpi") == 0) omp_set_num_threads(1);
  const int known = (by_cg || strcmp(method, "jacobi") == 0) &&
                    (with_tasks || strcmp(way, "mpi") == 0 || strcmp(way, "loops") == 0);
  if (!known || blocks * kBlock * ranks != kSize) {
    fprintf(stderr, "stencil: %d ranks cannot do '%s' by '%s'\n", ranks, method, way);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  double seconds;
  int right = by_cg ? conjugate_gradients(&seconds) : jacobi(&seconds), all_right = 0;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("metric=stencil value=%.4f unit=s method=%s way=%s\n", seconds, method, way);
    puts(all_right ? "check=ok" : "check=failed what=\"the result is wrong\"");
  }
  MPI_Finalize();
  return !all_right;
}
