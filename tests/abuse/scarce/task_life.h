// SPDX-License-Identifier: Apache-2.0
// Everything for which tasks may need memory: data, dependences of every kind and number, tables
// that grow, groups, reductions, events, priorities, transparency. A task without memory runs at
// once or later, but in its order, and every result is right. Each part has its own addresses, so
// that its tables begin small.
#pragma once

#include "../common/abuse.h"
#include "bobbin/bobbin.h"

#pragma weak bobbin_set_task_transparent

enum { kAddresses = 96, kRounds = 4 };

// A chain for each address: the order within it is checked, and tables and pools grow.
static inline void life_chains(void) {
  int cells[kAddresses];
  memset(cells, 0, sizeof cells);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kAddresses; i++) {
#pragma omp task depend(inout : cells[i]) shared(cells) firstprivate(i, round)
      {
        CHECK(cells[i] == round);
        cells[i]++;
      }
    }
  }
  for (int i = 0; i < kAddresses; i++) CHECK(cells[i] == kRounds);
}

// Many readers between writers, and more dependences per task than fit beside it.
static inline void life_fans(void) {
  int cells[kAddresses], readers = 0, sums = 0;
  memset(cells, 0, sizeof cells);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
#pragma omp task depend(iterator(i = 0 : kAddresses), out : cells[i]) shared(cells)
    for (int i = 0; i < kAddresses; i++) cells[i] = round;
    for (int k = 0; k < 24; k++) {
#pragma omp task depend(in : cells[k]) shared(cells, readers) firstprivate(k, round)
      {
        CHECK(cells[k] == round);
#pragma omp atomic
        readers++;
      }
    }
#pragma omp task depend(iterator(i = 0 : kAddresses), in : cells[i]) shared(cells, sums)
    {
      int sum = 0;
      for (int i = 0; i < kAddresses; i++) sum += cells[i];
      CHECK(sum == kAddresses * round);
#pragma omp atomic
      sums++;
    }
    if (round == 2) {
#pragma omp taskwait depend(in : cells[3])
      CHECK(cells[3] == round);
    }
    if (round == 3) {
#pragma omp task if (0) depend(inout : cells[4]) shared(cells)
      CHECK(cells[4] == round);
    }
  }
  CHECK(readers == 24 * kRounds && sums == kRounds);
}

// Sets that exclude each other, and dependences kept in objects.
static inline void life_sets(void) {
  int inside[6], held = 0, last = 0;
  omp_depend_t object;
  memset(inside, 0, sizeof inside);
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int k = 0; k < 32; k++) {
#pragma omp task depend(iterator(i = 0 : 6), mutexinoutset : inside[i]) shared(inside, held)
      {
        for (int i = 0; i < 6; i++) inside[i]++;
        held++;
      }
    }
#pragma omp taskwait
#pragma omp depobj(object) depend(inout : last)
    for (int k = 0; k < 16; k++) {
#pragma omp task depend(depobj : object) shared(last) firstprivate(k)
      {
        CHECK(last == k);
        last++;
      }
    }
#pragma omp taskwait
#pragma omp depobj(object) destroy
  }
  for (int i = 0; i < 6; i++) CHECK(inside[i] == 32);
  CHECK(held == 32 && last == 16);
}

struct big {
  int values[300];
};

// Data of all sizes, priorities, nested groups, loops.
static inline void life_groups(void) {
  long loops = 0, plain = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    struct big data;
    for (int i = 0; i < 300; i++) data.values[i] = i;
    for (int k = 0; k < 16; k++) {
#pragma omp task firstprivate(data) shared(plain) priority(k % 3)
      {
        long part = 0;
        for (int i = 0; i < 300; i++) part += data.values[i];
#pragma omp atomic
        plain += part;
      }
    }
#pragma omp taskgroup
    for (int k = 0; k < 16; k++) {
#pragma omp task shared(plain)
      {
        int inner = 0;
#pragma omp taskgroup
        {
#pragma omp task shared(inner)
          inner = 100;
        }
        CHECK(inner == 100);
#pragma omp atomic
        plain += inner;
      }
    }
    CHECK(plain >= 1600);
#pragma omp taskloop grainsize(3) shared(loops)
    for (int i = 0; i < 60; i++) {
#pragma omp atomic
      loops += i;
    }
  }
  CHECK(plain == 16 * 44850L + 1600 && loops == 60 * 59 / 2);
}

// Tasks that submit parts of one graph. Not on libgomp, which does not have this call.
static inline void life_transparent(void) {
  int rows[6][8];
  if (bobbin_set_task_transparent == NULL) return;
  memset(rows, 0, sizeof rows);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 6; i++) {
      const int open = bobbin_set_task_transparent(bobbin_impex) == 0;
#pragma omp task depend(iterator(j = 0 : 8), inout : rows[i][j]) shared(rows) \
    firstprivate(i, round, open)
      {
        for (int j = 0; j < 8; j++) {
#pragma omp task depend(inout : rows[i][j]) shared(rows) firstprivate(i, j, round)
          {
            CHECK(rows[i][j] == round);
            rows[i][j]++;
          }
        }
        if (!open) {
#pragma omp taskwait
        }
      }
    }
    const int open = bobbin_set_task_transparent(bobbin_export) == 0;
#pragma omp task if (0) depend(inout : rows[0][0]) shared(rows) firstprivate(round, open)
    {
#pragma omp task depend(inout : rows[0][0]) shared(rows) firstprivate(round)
      CHECK(rows[0][0] == round + 1);
      if (!open) {
#pragma omp taskwait
      }
    }
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 8; j++) CHECK(rows[i][j] == 3);
}

// Tasks that end after their children or resume in another thread.
static inline long life_tree(int depth) {
  long left = 0, right = 0;
  if (depth == 0) return 1;
#pragma omp task untied shared(left) firstprivate(depth)
  left = life_tree(depth - 1);
#pragma omp task untied shared(right) firstprivate(depth)
  right = life_tree(depth - 1);
#pragma omp taskwait
  return left + right;
}

static inline void task_life(void) {
  long leaves = 0;
  life_chains();
  life_fans();
  life_sets();
  life_groups();
  life_transparent();
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp task untied shared(leaves)
  leaves = life_tree(7);
  CHECK(leaves == 128);
}

static inline void life_reductions(void) {
  long sum = 0, loops = 0;
#pragma omp parallel num_threads(4) reduction(task, + : loops)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int k = 0; k < 16; k++) {
#pragma omp task in_reduction(+ : sum) firstprivate(k)
      sum += k;
    }
#pragma omp taskloop in_reduction(+ : loops) grainsize(3)
    for (int i = 0; i < 60; i++) loops += i;
  }
  CHECK(sum == 16 * 15 / 2 && loops == 60 * 59 / 2);
}

// A detached task's event delays its successors.
static inline void life_events(void) {
  int order = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int k = 0; k < 8; k++) {
    omp_event_handle_t event;
#pragma omp task depend(out : order) detach(event) shared(order) firstprivate(k)
    {
      CHECK(order == 2 * k);
      order++;
    }
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp task depend(inout : order) shared(order) firstprivate(k)
    {
      CHECK(order == 2 * k + 1);
      order++;
    }
  }
  CHECK(order == 16);
}

// The body of such a task may have ended long before.
static inline void life_late_events(void) {
  int fulfilled = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int k = 1; k <= 8; k++) {
    omp_event_handle_t event;
#pragma omp task depend(out : fulfilled) detach(event)
    {
    }
#pragma omp task firstprivate(event, k) shared(fulfilled)
    {
#pragma omp atomic write seq_cst
      fulfilled = k;
      omp_fulfill_event(event);
    }
#pragma omp task depend(inout : fulfilled) shared(fulfilled) firstprivate(k)
    {
      int seen;
#pragma omp atomic read seq_cst
      seen = fulfilled;
      CHECK(seen == k);
    }
#pragma omp taskwait
  }
}

// Private copies, and tasks that outlive their body. Without memory for them a clear error is the
// only possible end.
static inline void needy_life(void) {
  life_reductions();
  life_events();
  life_late_events();
}
