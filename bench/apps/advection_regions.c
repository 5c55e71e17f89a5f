// SPDX-License-Identifier: Apache-2.0
// Semi-Lagrangian advection in planes that are divided into regions, as the code of a plasma
// simulation does it. In each time step a chain of tasks traces the characteristics of a region
// back, a substep each. The last task of a chain is a stencil over the plane: the new values of the
// region come from the old ones of this region and its neighbours. One task depends on all regions
// of all planes: it adds up their mass, and the next time step waits for it.
#include <math.h>

#include "app.h"

static const char kUsage[] =
    "advection_regions [size=256] [planes=16] [regions=8] [substeps=4] [steps=4]\n"
    "    [order=breadth|depth|recursive] [mode=tasks|serial]\n"
    "size      of a plane along each side; a plane takes 32 * size * size bytes\n"
    "regions   of a plane: strips of rows, at least as high as the characteristics are long\n"
    "substeps  tasks of a region's chain before the stencil\n"
    "order     breadth    one thread submits all tasks of a substep, then those of the next one\n"
    "          depth      one thread submits plane by plane, a region's chain at once\n"
    "          recursive  tasks that halve the planes submit them, so many threads do\n"
    "A hump is carried around the middle of each plane, at a speed of its own. Checked bit by bit\n"
    "against the serial computation, and that against the exact solution. `followed` is the share "
    "of\n"
    "tasks that a thread began right behind another one of the same region.\n";

enum { kMostThreads = 1024 };

static const double kPi = 3.141592653589793;

static int size, planes, regions, substeps, steps, rows;

struct point {
  double x, y;
};

struct region {
  struct point* feet;  // from which point a cell's value comes
  double* cells[2];    // the values before and after a step; which is which alternates
  double mass;         // after the step
};

struct world {
  struct region* regions;  // of all planes, one after the other
  double mass;             // of all, after the step
};

static double turn_of(int plane) { return kPi / 8 * (plane + 1) / planes / steps; }

// The exact solution: a hump that has been turned about the middle.
static double hump(double x, double y, double angle) {
  double middle = size / 2.0, width = size / 12.0;
  double from_x = x - middle - size / 6.0 * cos(angle),
         from_y = y - middle - size / 6.0 * sin(angle);
  return exp(-(from_x * from_x + from_y * from_y) / (2 * width * width));
}

static struct region* region_of(const struct world* world, int plane, int place) {
  return &world->regions[plane * regions + place];
}

static struct world new_world(void) {
  struct world world = {calloc((size_t)planes * (size_t)regions, sizeof *world.regions), 1};
  require(world.regions != NULL, "memory for the regions");
  size_t cells = (size_t)rows * (size_t)size;
  for (int i = 0; i < planes * regions; i++) {
    struct region* r = &world.regions[i];
    r->feet = malloc(cells * sizeof *r->feet);
    for (int k = 0; k < 2; k++) r->cells[k] = malloc(cells * sizeof(double));
    require(r->feet != NULL && r->cells[0] != NULL && r->cells[1] != NULL, "memory for a region");
    memset(r->feet, 0, cells * sizeof *r->feet);
    memset(r->cells[1], 0, cells * sizeof(double));
    int first = i % regions * rows;
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < size; x++) r->cells[0][y * size + x] = hump(x, first + y, 0);
  }
  return world;
}

static void free_world(struct world* world) {
  for (int i = 0; i < planes * regions; i++) {
    free(world->regions[i].feet);
    free(world->regions[i].cells[0]);
    free(world->regions[i].cells[1]);
  }
  free(world->regions);
}

// A task of a chain: the midpoint rule over one substep, backwards in time. The first substep
// begins at the cells themselves.
static void trace_back(const struct world* world, int plane, int place, int substep) {
  struct region* r = region_of(world, plane, place);
  double middle = size / 2.0, turn = turn_of(plane) / substeps;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < size; x++) {
      struct point* foot = &r->feet[y * size + x];
      struct point from = *foot;
      if (substep == 0) from = (struct point){x, place * rows + y};
      double half_x = from.x - middle + turn / 2 * (from.y - middle);
      double half_y = from.y - middle - turn / 2 * (from.x - middle);
      *foot = (struct point){from.x + turn * half_y, from.y - turn * half_x};
    }
}

// Weights of cubic Lagrange interpolation at t between the second and the third of four points.
static void lagrange_weights(double t, double weights[4]) {
  weights[0] = -t * (t - 1) * (t - 2) / 6;
  weights[1] = (t + 1) * (t - 1) * (t - 2) / 2;
  weights[2] = -(t + 1) * t * (t - 2) / 2;
  weights[3] = (t + 1) * t * (t - 1) / 6;
}

// The last task of a chain. A foot near the rim of the plane or beyond it gives zero.
static void interpolate(const struct world* world, int plane, int place, int step) {
  struct region* r = region_of(world, plane, place);
  double* after = r->cells[(step + 1) % 2];
  r->mass = 0;
  for (int cell = 0; cell < rows * size; cell++) {
    double x = r->feet[cell].x, y = r->feet[cell].y, value = 0;
    if (fmin(x, y) >= 1 && fmax(x, y) < size - 2) {
      double wx[4], wy[4];
      int column = (int)x, row = (int)y;
      lagrange_weights(x - column, wx);
      lagrange_weights(y - row, wy);
      for (int j = 0; j < 4; j++) {
        int line = row + j - 1;
        const double* cells = region_of(world, plane, line / rows)->cells[step % 2];
        cells += line % rows * size + column - 1;
        for (int i = 0; i < 4; i++) value += wy[j] * wx[i] * cells[i];
      }
    }
    after[cell] = value;
    r->mass += value;
  }
}

static void add_masses(struct world* world) {
  world->mass = 0;
  for (int i = 0; i < planes * regions; i++) world->mass += world->regions[i].mass;
}

// --- The tasks. The address of an array stands for it in the depend clauses.

// What a thread has done: how many tasks it began, and how many of these right behind another one
// of the same region, whose data it then has in its cache.
static struct {
  long begun, followed;
  const struct region* last;
  char rest_of_line[128 - 2 * sizeof(long) - sizeof(void*)];
} threads_did[kMostThreads];

static void begin_in(const struct region* r) {
  int me = omp_get_thread_num();
  threads_did[me].begun++;
  threads_did[me].followed += threads_did[me].last == r;
  threads_did[me].last = r;
}

static void submit_substep(struct world* world, int plane, int place, int substep) {
  struct region* r = region_of(world, plane, place);
#pragma omp task depend(inout : r->feet[0]) depend(in : world -> mass) \
    firstprivate(world, plane, place, substep)
  {
    begin_in(region_of(world, plane, place));
    trace_back(world, plane, place, substep);
  }
}

static void submit_stencil(struct world* world, int plane, int place, int step) {
  struct region* r = region_of(world, plane, place);
  const int before = step % 2, after = (step + 1) % 2;
  const struct region* above = place > 0 ? r - 1 : r;
  const struct region* below = place < regions - 1 ? r + 1 : r;
#pragma omp task depend(in : r->feet[0], r->cells[before][0], above->cells[before][0],           \
                            below->cells[before][0]) depend(out : r -> cells[after][0], r->mass) \
    firstprivate(world, plane, place, step)
  {
    begin_in(region_of(world, plane, place));
    interpolate(world, plane, place, step);
  }
}

static void submit_plane(struct world* world, int plane, int step) {
  for (int place = 0; place < regions; place++)
    for (int s = 0; s < substeps; s++) submit_substep(world, plane, place, s);
  for (int place = 0; place < regions; place++) submit_stencil(world, plane, place, step);
}

static void submit_sum(struct world* world) {
  struct region* all = world->regions;
  const int count = planes * regions;
#pragma omp task depend(iterator(int i = 0 : count), in : all[i].mass) depend(out : world -> mass) \
    firstprivate(world)
  add_masses(world);
}

static void step_breadth(struct world* world, int step) {
  for (int s = 0; s < substeps; s++)
    for (int i = 0; i < planes * regions; i++) submit_substep(world, i / regions, i % regions, s);
  for (int i = 0; i < planes * regions; i++) submit_stencil(world, i / regions, i % regions, step);
  submit_sum(world);
}

static void step_depth(struct world* world, int step) {
  for (int i = 0; i < planes; i++) submit_plane(world, i, step);
  submit_sum(world);
}

// Tasks of different planes share nothing, and dependences order the children of one task only. So
// each plane has a task of its own that submits it.
static void submit_planes(struct world* world, int from, int to, int step) {
  if (to - from == 1) {
    submit_plane(world, from, step);
  } else {
    int middle = (from + to) / 2;
#pragma omp task firstprivate(world, from, middle, step)
    submit_planes(world, from, middle, step);
#pragma omp task firstprivate(world, middle, to, step)
    submit_planes(world, middle, to, step);
  }
#pragma omp taskwait
}

static void step_recursive(struct world* world, int step) {
  submit_planes(world, 0, planes, step);
  add_masses(world);
}

static void run_tasks(struct world* world, void (*submit_step)(struct world*, int)) {
#pragma omp parallel
#pragma omp single
  for (int step = 0; step < steps; step++) submit_step(world, step);
}

static void run_serial(struct world* world) {
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < planes; i++) {
      for (int place = 0; place < regions; place++)
        for (int s = 0; s < substeps; s++) trace_back(world, i, place, s);
      for (int place = 0; place < regions; place++) interpolate(world, i, place, step);
    }
    add_masses(world);
  }
}

// --- The check.

static double furthest_off(const struct world* world) {
  double furthest = 0;
  for (int i = 0; i < planes * regions; i++) {
    const double* cells = world->regions[i].cells[steps % 2];
    for (int cell = 0; cell < rows * size; cell++) {
      int y = i % regions * rows + cell / size;
      double exact = hump(cell % size, y, steps * turn_of(i / regions));
      furthest = fmax(furthest, fabs(cells[cell] - exact));
    }
  }
  return furthest;
}

static int same_worlds(const struct world* a, const struct world* b) {
  size_t bytes = (size_t)rows * (size_t)size * sizeof(double);
  for (int i = 0; i < planes * regions; i++)
    for (int k = 0; k < 2; k++)
      if (memcmp(a->regions[i].cells[k], b->regions[i].cells[k], bytes) != 0) return 0;
  return a->mass == b->mass;
}

static void report_threads(void) {
  long begun = 0, followed = 0;
  for (int i = 0; i < kMostThreads; i++) {
    begun += threads_did[i].begun;
    followed += threads_did[i].followed;
  }
  require(begun == (long)steps * planes * regions * (substeps + 1), "every task was begun once");
  print_metric("followed", 100 * (double)followed / (double)begun, "%");
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  size = (int)arg_number(argc, argv, "size", 256);
  planes = (int)arg_number(argc, argv, "planes", 16);
  regions = (int)arg_number(argc, argv, "regions", 8);
  substeps = (int)arg_number(argc, argv, "substeps", 4);
  steps = (int)arg_number(argc, argv, "steps", 4);
  const char* order = arg_text(argc, argv, "order", "breadth");
  const int serial_only = strcmp(arg_text(argc, argv, "mode", "tasks"), "serial") == 0;
  require(size >= 48 && planes >= 1 && regions >= 1 && substeps >= 1 && steps >= 1,
          "size is at least 48, the other numbers are at least 1");
  require(size % regions == 0, "regions divide size");
  require(omp_get_max_threads() <= kMostThreads, "at most 1024 threads");
  rows = size / regions;
  require(regions == 1 || turn_of(planes - 1) * size / 2 + 3 <= rows,
          "a region is as high as the characteristics are long: more steps, or fewer regions");

  struct world expected = new_world();
  double start = seconds();
  run_serial(&expected);
  double serial = seconds() - start, took = serial;
  require(furthest_off(&expected) < 0.02, "the serial result is near the exact solution");
  if (!serial_only) {
    struct world world = new_world();
    start = seconds();
    if (strcmp(order, "breadth") == 0)
      run_tasks(&world, step_breadth);
    else if (strcmp(order, "depth") == 0)
      run_tasks(&world, step_depth);
    else if (strcmp(order, "recursive") == 0)
      run_tasks(&world, step_recursive);
    else
      require(0, "order is breadth, depth or recursive");
    took = seconds() - start;
    require(same_worlds(&world, &expected), "the cells of the serial computation");
    free_world(&world);
    report_threads();
  }
  free_world(&expected);
  report_app(serial, took);
  return 0;
}
