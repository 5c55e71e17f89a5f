// SPDX-License-Identifier: Apache-2.0
// The smallest rectangle that holds a number of cells, each with several possible shapes: branch
// and bound, one task for every place and shape of the next cell.
#include "app.h"

static const char kUsage[] =
    "floorplan [cells=10] " CUTOFF_ARGUMENTS
    "\n"
    "Each cell after the first stands to the right of one that is placed, or above it.\n";

enum { kMostCells = 24, kShapes = 2 };

struct box {
  int x, y, width, height;
};

static int cells;
static struct box shapes[kMostCells][kShapes];

static int overlap(const struct box* a, const struct box* b) {
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

// Puts cell number `placed` in one of its shapes beside or above another cell. Returns the area
// that is then needed, or 0 if the place is taken.
static int put(struct box* plan, int placed, int shape, int beside, int above) {
  struct box* cell = &plan[placed];
  *cell = shapes[placed][shape];
  cell->x = cell->y = 0;
  if (placed > 0) {
    cell->x = plan[beside].x + (above ? 0 : plan[beside].width);
    cell->y = plan[beside].y + (above ? plan[beside].height : 0);
  }
  int width = 0, height = 0;
  for (int i = 0; i <= placed; i++) {
    if (i < placed && overlap(&plan[i], cell)) return 0;
    if (plan[i].x + plan[i].width > width) width = plan[i].x + plan[i].width;
    if (plan[i].y + plan[i].height > height) height = plan[i].y + plan[i].height;
  }
  return width * height;
}

// The number of ways to place a cell.
static int ways(int placed) { return kShapes * (placed == 0 ? 1 : 2 * placed); }

static int put_way(struct box* plan, int placed, int way) {
  return put(plan, placed, way % kShapes, way / kShapes / 2, way / kShapes % 2);
}

static void search_serial(struct box* plan, int placed, int* best) {
  for (int way = 0; way < ways(placed); way++) {
    int area = put_way(plan, placed, way);
    if (area == 0 || area >= *best) continue;
    if (placed + 1 == cells)
      *best = area;
    else
      search_serial(plan, placed + 1, best);
  }
}

static int best_area;  // the best that any task has found

static int best_so_far(void) {
  int best;
#pragma omp atomic read
  best = best_area;
  return best;
}

static void offer(int area) {
#pragma omp critical
  if (area < best_area) {
#pragma omp atomic write
    best_area = area;
  }
}

static void search(struct box* above, int placed) {
  for (int way = 0; way < ways(placed); way++) {
#pragma omp task TIEDNESS if (deferred_at(placed)) final(final_at(placed))
    {
      struct box plan[kMostCells];
      memcpy(plan, above, (size_t)placed * sizeof *plan);
      int area = put_way(plan, placed, way);
      int best = best_so_far();
      if (area > 0 && area < best) {
        if (placed + 1 == cells) {
          offer(area);
        } else if (serial_at(placed + 1)) {
          search_serial(plan, placed + 1, &best);
          offer(best);
        } else {
          search(plan, placed + 1);
        }
      }
    }
  }
#pragma omp taskwait
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  read_variant(argc, argv);
  cells = (int)arg_number(argc, argv, "cells", 10);
  require(cells >= 1 && cells <= kMostCells, "1 to 24 cells");
  unsigned random = 5;
  long least = 0, most = 0;
  for (int c = 0; c < cells; c++) {
    int width = 1 + (int)(next_random(&random) % 6), height = 1 + (int)(next_random(&random) % 6);
    struct box upright = {0, 0, width, height}, turned = {0, 0, height, width};
    shapes[c][0] = upright;
    shapes[c][1] = turned;
    least += width * height;
    most += 36;
  }
  struct box plan[kMostCells];
  int expected = (int)(most * cells);
  best_area = expected;

  double start = seconds();
  search_serial(plan, 0, &expected);
  double serial = seconds() - start, took = serial;
  require(expected >= least, "the plan holds all cells");
  if (!variant.serial) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    search(plan, 0);
    took = seconds() - start;
    require(best_area == expected, "the area that the serial search finds");
  }
  report_app(serial, took);
  return 0;
}
