// SPDX-License-Identifier: Apache-2.0
// The largest value that a knapsack can hold: branch and bound, with one task for taking the next
// item and one for leaving it.
#include "app.h"

static const char kUsage[] = "knapsack [items=26] " CUTOFF_ARGUMENTS "\n";

enum { kMostItems = 64 };

struct item {
  int weight, value;
};

static struct item items[kMostItems];  // by falling value per weight
static int count;
static int best_value;  // the best that any task has found

static int better(const void* a, const void* b) {
  const struct item *x = a, *y = b;
  return y->value * x->weight - x->value * y->weight;
}

// An upper bound: no choice of the items from `next` on has a larger value.
static int bound(int next, int room) {
  int value = 0;
  for (; next < count && items[next].weight <= room; next++) {
    room -= items[next].weight;
    value += items[next].value;
  }
  if (next < count) value += (items[next].value * room) / items[next].weight;
  return value;
}

static void fill_serial(int next, int room, int value, int* best) {
  if (value > *best) *best = value;
  if (next == count || value + bound(next, room) <= *best) return;
  if (items[next].weight <= room)
    fill_serial(next + 1, room - items[next].weight, value + items[next].value, best);
  fill_serial(next + 1, room, value, best);
}

static int best_so_far(void) {
  int best;
#pragma omp atomic read
  best = best_value;
  return best;
}

static void offer(int value) {
  if (value <= best_so_far()) return;
#pragma omp critical
  if (value > best_value) {
#pragma omp atomic write
    best_value = value;
  }
}

static void fill(int next, int room, int value) {
  offer(value);
  int best = best_so_far();
  if (next == count || value + bound(next, room) <= best) return;
  if (serial_at(next)) {
    fill_serial(next, room, value, &best);
    offer(best);
    return;
  }
  if (items[next].weight <= room) {
#pragma omp task TIEDNESS if (deferred_at(next)) final(final_at(next))
    fill(next + 1, room - items[next].weight, value + items[next].value);
  }
#pragma omp task TIEDNESS if (deferred_at(next)) final(final_at(next))
  fill(next + 1, room, value);
#pragma omp taskwait
}

// Dynamic programming over the capacity, to check the searches.
static int best_by_room(int room) {
  int* best = calloc((size_t)room + 1, sizeof *best);
  require(best != NULL, "memory for the table");
  for (int i = 0; i < count; i++)
    for (int r = room; r >= items[i].weight; r--) {
      int with = best[r - items[i].weight] + items[i].value;
      if (with > best[r]) best[r] = with;
    }
  int found = best[room];
  free(best);
  return found;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  read_variant(argc, argv);
  count = (int)arg_number(argc, argv, "items", 26);
  require(count >= 1 && count <= kMostItems, "1 to 64 items");
  unsigned random = 3;
  int room = 0;
  for (int i = 0; i < count; i++) {
    items[i].weight = 900 + (int)(next_random(&random) % 200);
    items[i].value = items[i].weight + 50 + (int)(next_random(&random) % 4);
    room += items[i].weight;
  }
  room = room / 2 + 17;
  qsort(items, (size_t)count, sizeof *items, better);

  int expected = 0;
  double start = seconds();
  fill_serial(0, room, 0, &expected);
  double serial = seconds() - start, took = serial;
  require(expected == best_by_room(room), "the value that dynamic programming finds");
  if (!variant.serial) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    fill(0, room, 0);
    took = seconds() - start;
    require(best_value == expected, "the value that the serial search finds");
  }
  report_app(serial, took);
  return 0;
}
