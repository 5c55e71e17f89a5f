/* SPDX-License-Identifier: Apache-2.0
 *
 * Collapsed loops divided by LLVM's entry points, compared with the loops executed one by one.
 */
#include "check.h"
#include "kmp/kmp_direct.h"

enum { kUint8, kInt8, kUint16, kInt16, kUint32, kInt32, kUint64, kInt64 };
enum { kAtMost, kAtLeast, kNotEqual, kLess, kGreater };
enum { kMaxDepth = 4, kMaxPoints = 20000, kNests = 60 };

typedef struct {
  int64_t v[kMaxDepth];
} Point;

static Point points[kMaxPoints];
static int executed[kMaxPoints];
static int point_count;

static int64_t at(const NestedLoop* loop, uint64_t constant, uint64_t factor, const Point* point) {
  int64_t value = (int64_t)(constant + factor * (uint64_t)point->v[loop->outer]);
  return loop->type == kInt32 ? (int32_t)value : loop->type == kUint32 ? (uint32_t)value : value;
}

static int goes_on(const NestedLoop* loop, int64_t i, int64_t upper) {
  switch (loop->test) {
    case kAtMost:
      return i <= upper;
    case kAtLeast:
      return i >= upper;
    case kNotEqual:
      return i != upper;
    case kLess:
      return i < upper;
    default:
      return i > upper;
  }
}

/* All points of the nest in order, computed by plain nested loops. */
static void enumerate(const NestedLoop* loops, int depth, int level, Point point) {
  if (level == depth) {
    CHECK(point_count < kMaxPoints);
    points[point_count++] = point;
    return;
  }
  const NestedLoop* loop = &loops[level];
  int64_t upper = at(loop, loop->upper, loop->upper_factor, &point);
  int64_t i = at(loop, loop->lower, loop->lower_factor, &point);
  for (; goes_on(loop, i, upper); i += loop->step) {
    point.v[level] = i;
    enumerate(loops, depth, level + 1, point);
  }
}

static void list_points(const NestedLoop* loops, int depth) {
  point_count = 0;
  enumerate(loops, depth, 0, (Point){{0}});
  memset(executed, 0, sizeof executed);
}

/* Does `a` come before `b`? */
static int before(const NestedLoop* loops, int depth, const Point* a, const int64_t* b) {
  for (int level = 0; level < depth; level++) {
    if (a->v[level] != b[level]) return (a->v[level] < b[level]) == (loops[level].step > 0);
  }
  return 0;
}

static int same(int depth, const Point* a, const int64_t* b) {
  return memcmp(a->v, b, (size_t)depth * sizeof b[0]) == 0;
}

/* Executes the points from the part's first to its last one. Returns their number. */
static int execute(const NestedLoop* loops, const NestedLoop* part, int depth) {
  int64_t first[kMaxDepth], last[kMaxDepth];
  for (int level = 0; level < depth; level++) {
    CHECK_EQ(part[level].lower_factor, 0);
    CHECK_EQ(part[level].upper_factor, 0);
    first[level] = (int64_t)part[level].lower;
    last[level] = (int64_t)part[level].upper;
  }
  int begins = 0, number = 0;
  for (int i = 0; i < point_count; i++) {
    if (same(depth, &points[i], first)) begins = 1;
    if (before(loops, depth, &points[i], first)) continue;
    /* Is it after the last one? libomp's last point may lie between two. */
    Point end;
    memcpy(end.v, last, sizeof last);
    if (before(loops, depth, &end, points[i].v)) break;
    __atomic_add_fetch(&executed[i], 1, __ATOMIC_RELAXED);
    number++;
  }
  CHECK(begins);
  return number;
}

static void try_division(const NestedLoop* loops, int depth) {
  list_points(loops, depth);
  int lasts = 0, least = kMaxPoints, most = 0;
#pragma omp parallel
  {
    NestedLoop own[kMaxDepth], part[kMaxDepth];
    memcpy(own, loops, sizeof own);
    int32_t last = 7;
    int number = 0;
    if (__kmpc_for_collapsed_init(&kPlace, __kmpc_global_thread_num(&kPlace), own, part, depth,
                                  &last)) {
      number = execute(loops, part, depth);
    }
    CHECK(last == 0 || last == 1);
#pragma omp critical
    {
      lasts += last;
      least = number < least ? number : least;
      most = number > most ? number : most;
    }
  }
  for (int i = 0; i < point_count; i++) CHECK_EQ(executed[i], 1);
  if (on_bobbin()) {
    CHECK_EQ(lasts, point_count > 0);
    CHECK(most - least <= 1);
  }
}

static void triangle(void) {
  NestedLoop loops[kMaxDepth] = {
      {kInt32, kInt32, kLess, 0, 0, 0, 60, 0, 1, 0},
      {kInt32, kInt32, kAtMost, 0, 0, 0, 0, 1, 1, 0},
  };
  try_division(loops, 2);
}

static void triangle_with_empty_row(void) {
  NestedLoop loops[kMaxDepth] = {
      {kInt32, kInt32, kLess, 0, 0, 0, 60, 0, 1, 0},
      {kInt32, kInt32, kLess, 0, 0, 0, 0, 1, 1, 0},
  };
  try_division(loops, 2);
}

/* There the numbers are those before 0, or after the largest one. */
static void unsigned_with_empty_rows(void) {
  NestedLoop up[kMaxDepth] = {
      {kUint32, kUint32, kLess, 0, 0, 0, 60, 0, 1, 0},
      {kUint32, kUint32, kLess, 0, 0, 0, 0, 1, 1, 0},
  };
  try_division(up, 2);
  up[1].test = kNotEqual;
  try_division(up, 2);
  NestedLoop down[kMaxDepth] = {
      {kUint32, kUint32, kLess, 0, 0, 0, 20, 0, 1, 0},
      {kUint32, kUint32, kGreater, 0, UINT32_MAX, 0, UINT32_MAX - 19, 1, -1, 0},
  };
  try_division(down, 2);
  NestedLoop none[kMaxDepth] = {
      {kUint8, kUint8, kLess, 0, 0, 0, 0, 0, 1, 0},
      {kUint64, kUint64, kLess, 0, 5, 0, 0, 0, 1, 0},
  };
  CHECK_EQ(__kmpc_process_loop_nest_rectang(&kPlace, 0, none, 2), 0);
  CHECK_EQ(none[0].count, 0);
  CHECK_EQ(none[1].count, 0);
}

static void trapezium(void) {
  NestedLoop loops[kMaxDepth] = {
      {kInt32, kInt32, kLess, 0, 0, 0, 60, 0, 1, 0},
      {kInt32, kInt32, kAtMost, 0, 0, 0, 3, 1, 1, 0},
  };
  try_division(loops, 2);
}

static void downwards(void) {
  NestedLoop loops[kMaxDepth] = {
      {kInt32, kInt32, kLess, 0, 0, 0, 60, 0, 1, 0},
      {kInt32, kInt32, kGreater, 0, 60, 0, 0, 1, -2, 0},
  };
  try_division(loops, 2);
}

static void three_deep(void) {
  NestedLoop loops[kMaxDepth] = {
      {kInt32, kInt32, kLess, 0, 0, 0, 60, 0, 1, 0},
      {kInt32, kInt32, kAtMost, 0, 0, 0, 9, 0, 1, 0},
      {kInt32, kInt32, kAtMost, 0, 0, 1, 30, 0, 3, 0},
  };
  try_division(loops, 3);
  loops[0].upper = 0;
  try_division(loops, 3); /* nothing */
}

static uint32_t state = 1;

static int draw(int from, int to) {
  state = state * 1664525 + 1013904223;
  return from + (int)((state >> 8) % (uint32_t)(to - from + 1));
}

static void draw_loop(NestedLoop* loop, int level) {
  static const int32_t types[] = {kInt32, kInt64};
  int32_t type = types[draw(0, 1)];
  int up = draw(0, 1);
  *loop = (NestedLoop){.type = type, .variable_type = type, .step = draw(1, 3) * (up ? 1 : -1)};
  int64_t low = draw(-5, 5), high = low + draw(0, 8);
  loop->lower = (uint64_t)(up ? low : high);
  loop->upper = (uint64_t)(up ? high : low);
  loop->test = draw(0, 1) ? (up ? kAtMost : kAtLeast) : (up ? kLess : kGreater);
  if (level == 0) return;
  loop->outer = draw(0, level - 1);
  loop->lower_factor = (uint64_t)(int64_t)draw(-1, 1);
  loop->upper_factor = (uint64_t)(int64_t)draw(-1, 1);
}

static void any_shape(void) {
  for (int nest = 0; nest < kNests; nest++) {
    NestedLoop loops[kMaxDepth];
    int depth = draw(1, kMaxDepth);
    for (int level = 0; level < depth; level++) draw_loop(&loops[level], level);
    try_division(loops, depth);
  }
}

/* Bytes that a narrow number does not use must not be read. */
static void rectangles(void) {
  const uint64_t garbage = UINT64_C(0xabcdef) << 32;
  NestedLoop loops[kMaxDepth] = {
      {kUint32, kUint8, kNotEqual, 0, garbage + 7, 0, 19 + garbage, 0, 3, 0},
      {kInt32, kInt16, kAtLeast, 0, 5 + garbage, 0, (uint32_t)-6 + garbage, 0, -2, 0},
      {kInt64, kInt64, kLess, 0, (uint64_t)INT64_MAX - 3, 0, INT64_MAX, 0, 1, 0},
  };
  NestedLoop plain[kMaxDepth];
  memcpy(plain, loops, sizeof plain);
  for (int level = 0; level < 2; level++) {
    plain[level].lower = (uint64_t)(int64_t)(int32_t)loops[level].lower;
    plain[level].upper = (uint64_t)(int64_t)(int32_t)loops[level].upper;
  }
  list_points(plain, 3);
  uint64_t count = __kmpc_process_loop_nest_rectang(&kPlace, 0, loops, 3);
  CHECK_EQ(count, point_count);
  CHECK_EQ(loops[0].count * loops[1].count * loops[2].count, count);
  CHECK_EQ(loops[0].test, kAtMost);
  CHECK_EQ((uint32_t)loops[0].upper, 18);
  CHECK_EQ(loops[1].test, kAtLeast);
  CHECK_EQ((int32_t)loops[1].upper, -6);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t found[kMaxDepth] = {0};
    __kmpc_calc_original_ivs_rectang(&kPlace, i, loops, found, 3);
    CHECK(same(3, &points[i], (int64_t*)found));
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(triangle);
  RUN(triangle_with_empty_row);
  RUN(unsigned_with_empty_rows);
  RUN(trapezium);
  RUN(downwards);
  RUN(three_deep);
  RUN(any_shape);
  RUN(rectangles);
  return check_end();
}
