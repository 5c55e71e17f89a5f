// SPDX-License-Identifier: Apache-2.0
// Semi-Lagrangian advection in the planes of a 4-D array, as a program of five components. Each
// component is called for every plane and shares nothing with the others except the data. The order
// in which the components submit their tasks decides whether a plane is still in the cache when the
// next task needs it.
#include <math.h>

#include "app.h"

static const char kUsage[] =
    "advection [size=64] [planes=64] [steps=16] [mode=breadth|depth|fused|loops|serial]\n"
    "size    of a plane along each side\n"
    "mode    breadth  component by component, a task a plane, ordered by dependences\n"
    "        depth    the same tasks, plane by plane\n"
    "        fused    one task a plane does what the five components do\n"
    "        loops    a worksharing loop a component\n"
    "A hump is carried around the middle of each plane, at a speed of its own. Checked bit by bit\n"
    "against the serial computation, and that against the exact solution.\n";

static const double kPi = 3.141592653589793;

static int size, planes, steps;

struct plane {
  double turn;           // radians per step
  double* cells;         // the values, one after the other by size
  double* coefficients;  // coefficients of the cubic spline through the values
  double* feet;          // x and y of the point from which a cell's present value comes
  double mass;
};

static double* new_cells(int each) {
  double* cells = calloc((size_t)size * (size_t)size * (size_t)each, sizeof *cells);
  require(cells != NULL, "memory for the planes");
  return cells;
}

// The exact solution: a hump that has been turned about the middle.
static double hump(double x, double y, double angle) {
  double middle = size / 2.0, width = size / 14.0;
  double from_x = x - middle - size / 6.0 * cos(angle),
         from_y = y - middle - size / 6.0 * sin(angle);
  return exp(-(from_x * from_x + from_y * from_y) / (2 * width * width));
}

// Component 1: the characteristics, traced back over one step.
static void find_feet(struct plane* p) {
  double middle = size / 2.0, c = cos(p->turn), s = sin(p->turn);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++) {
      double* foot = &p->feet[2 * (y * size + x)];
      foot[0] = middle + c * (x - middle) + s * (y - middle);
      foot[1] = middle - s * (x - middle) + c * (y - middle);
    }
}

// Computes the coefficients of the periodic cubic spline along one line, in place: a forward and a
// backward recursion, both with the pole sqrt(3) - 2. The pole's powers vanish after 30 terms.
static void filter_line(double* line, int stride) {
  const double pole = -0.2679491924311227;
  const int terms = 30;
  double first = 0, power = 1;
  for (int k = 0; k < terms; k++, power *= pole)
    first += power * line[(size - k % size) % size * stride];
  line[0] = first;
  for (int i = 1; i < size; i++) line[i * stride] += pole * line[(i - 1) * stride];
  double last = 0;
  power = pole;
  for (int k = 0; k < terms; k++, power *= pole)
    last -= power * line[(size - 1 + k) % size * stride];
  line[(size - 1) * stride] = last;
  for (int i = size - 2; i >= 0; i--)
    line[i * stride] = pole * (line[(i + 1) * stride] - line[i * stride]);
  for (int i = 0; i < size; i++) line[i * stride] *= 6;
}

// Components 2 and 3: the splines along x, then along y.
static void filter_rows(struct plane* p) {
  memcpy(p->coefficients, p->cells, (size_t)size * (size_t)size * sizeof(double));
  for (int y = 0; y < size; y++) filter_line(p->coefficients + y * size, 1);
}

static void filter_columns(struct plane* p) {
  for (int x = 0; x < size; x++) filter_line(p->coefficients + x, size);
}

static void spline_weights(double t, double weights[4]) {
  double u = 1 - t;
  weights[0] = u * u * u / 6;
  weights[1] = 2.0 / 3 - t * t * (2 - t) / 2;
  weights[2] = 2.0 / 3 - u * u * (2 - u) / 2;
  weights[3] = t * t * t / 6;
}

// Component 4: the new values are those at the feet. A foot outside of the plane gives zero.
static void interpolate(struct plane* p) {
  for (int cell = 0; cell < size * size; cell++) {
    double x = p->feet[2 * cell], y = p->feet[2 * cell + 1];
    double wx[4], wy[4], value = 0;
    p->cells[cell] = 0;
    if (fmin(x, y) < 0 || fmax(x, y) > size - 1) continue;
    int column = (int)floor(x), row = (int)floor(y);
    spline_weights(x - column, wx);
    spline_weights(y - row, wy);
    for (int j = 0; j < 4; j++) {
      const double* line = p->coefficients + (row + j - 1 + 2 * size) % size * size;
      for (int i = 0; i < 4; i++) value += wy[j] * wx[i] * line[(column + i - 1 + 2 * size) % size];
    }
    p->cells[cell] = value;
  }
}

// Component 5: the moment from which the field of the next step would be computed.
static void integrate(struct plane* p) {
  p->mass = 0;
  for (int cell = 0; cell < size * size; cell++) p->mass += p->cells[cell];
}

typedef void component(struct plane*);
static component* const kComponents[] = {find_feet, filter_rows, filter_columns, interpolate,
                                         integrate};
enum { kComponentCount = sizeof kComponents / sizeof kComponents[0] };

static void all_components(struct plane* p) {
  for (int c = 0; c < kComponentCount; c++) kComponents[c](p);
}

static void submit(component* work, struct plane* p) {
#pragma omp task depend(inout : *p) firstprivate(work, p)
  work(p);
}

static void step_breadth(struct plane* all) {
  for (int c = 0; c < kComponentCount; c++)
    for (int i = 0; i < planes; i++) submit(kComponents[c], &all[i]);
}

static void step_depth(struct plane* all) {
  for (int i = 0; i < planes; i++)
    for (int c = 0; c < kComponentCount; c++) submit(kComponents[c], &all[i]);
}

static void step_fused(struct plane* all) {
  for (int i = 0; i < planes; i++) submit(all_components, &all[i]);
}

static void run_tasks(struct plane* all, void (*step)(struct plane*)) {
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < steps; s++) {
    step(all);
    // The field couples all planes, so a step begins only when the previous one has ended.
#pragma omp taskwait
  }
}

static void run_loops(struct plane* all) {
#pragma omp parallel
  for (int s = 0; s < steps; s++)
    for (int c = 0; c < kComponentCount; c++) {
#pragma omp for
      for (int i = 0; i < planes; i++) kComponents[c](&all[i]);
    }
}

static void run_serial(struct plane* all) {
  for (int s = 0; s < steps; s++)
    for (int i = 0; i < planes; i++) all_components(&all[i]);
}

static struct plane* new_planes(void) {
  struct plane* all = calloc((size_t)planes, sizeof *all);
  require(all != NULL, "memory for the planes");
  for (int i = 0; i < planes; i++) {
    struct plane* p = &all[i];
    p->turn = kPi * (i + 1) / planes / steps;
    p->cells = new_cells(1);
    p->coefficients = new_cells(1);
    p->feet = new_cells(2);
    for (int y = 0; y < size; y++)
      for (int x = 0; x < size; x++) p->cells[y * size + x] = hump(x, y, 0);
  }
  return all;
}

static double furthest_off(const struct plane* p) {
  double furthest = 0;
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      furthest = fmax(furthest, fabs(p->cells[y * size + x] - hump(x, y, steps * p->turn)));
  return furthest;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  size = (int)arg_number(argc, argv, "size", 64);
  planes = (int)arg_number(argc, argv, "planes", 64);
  steps = (int)arg_number(argc, argv, "steps", 16);
  const char* mode = arg_text(argc, argv, "mode", "breadth");
  require(size >= 48 && planes >= 1 && steps >= 1, "size is at least 48");
  struct plane *expected = new_planes(), *all = new_planes();

  double start = seconds();
  run_serial(expected);
  double serial = seconds() - start, took = serial;
  for (int i = 0; i < planes; i++)
    require(furthest_off(&expected[i]) < 0.01, "the serial result is near the exact solution");
  if (strcmp(mode, "serial") != 0) {
    start = seconds();
    if (strcmp(mode, "breadth") == 0)
      run_tasks(all, step_breadth);
    else if (strcmp(mode, "depth") == 0)
      run_tasks(all, step_depth);
    else if (strcmp(mode, "fused") == 0)
      run_tasks(all, step_fused);
    else if (strcmp(mode, "loops") == 0)
      run_loops(all);
    else
      require(0, "mode is breadth, depth, fused, loops or serial");
    took = seconds() - start;
    for (int i = 0; i < planes; i++)
      require(memcmp(all[i].cells, expected[i].cells, (size_t)size * (size_t)size * 8) == 0 &&
                  all[i].mass == expected[i].mass,
              "the planes of the serial computation");
  }
  report_app(serial, took);
  return 0;
}
