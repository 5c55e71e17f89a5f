/* SPDX-License-Identifier: Apache-2.0
 * Transparent tasks: graphs that several tasks submit in parallel, at several depths, give the
 * values of a serial run. Also the order in which tasks begin, wait and complete. */
#include <bobbin/bobbin.h>
#include <malloc.h>
#include <sched.h>

#include "check.h"

#pragma weak bobbin_set_task_transparent

/* --- Random graphs. */

enum { kCells = 24, kOperations = 600, kMostNamed = kCells };

typedef struct {
  int to, from, other;
} Operation;

typedef struct {
  unsigned long cells[kCells];
  Operation operations[kOperations];
  int count;
} Graph;

static unsigned below(unsigned* state, unsigned n) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % n;
}

static void operate(Graph* graph, int i) {
  const Operation* op = &graph->operations[i];
  unsigned long* cells = graph->cells;
  cells[op->to] = cells[op->to] * 3 + cells[op->from] * 5 + cells[op->other] + (unsigned long)i;
}

static void make_graph(Graph* graph, unsigned seed) {
  unsigned state = seed;
  unsigned used = 1 + below(&state, kCells);
  for (int i = 0; i < kCells; i++) graph->cells[i] = (unsigned)i;
  graph->count = kOperations;
  for (int i = 0; i < kOperations; i++) {
    Operation* op = &graph->operations[i];
    op->to = (int)below(&state, used);
    op->from = (int)below(&state, used);
    op->other = (int)below(&state, used);
  }
}

/* The cells that a part of the graph writes, and those that it only reads. */
typedef struct {
  int written[kMostNamed], read[kMostNamed];
  int writes, reads;
} Names;

static Names names_of(const Graph* graph, int begin, int end) {
  Names names = {.writes = 0};
  int how[kCells] = {0};
  for (int i = begin; i < end; i++) {
    const Operation* op = &graph->operations[i];
    how[op->to] = 2;
    if (how[op->from] == 0) how[op->from] = 1;
    if (how[op->other] == 0) how[op->other] = 1;
  }
  for (int i = 0; i < kCells; i++) {
    if (how[i] == 2) names.written[names.writes++] = i;
    if (how[i] == 1) names.read[names.reads++] = i;
  }
  return names;
}

static void submit(Graph* graph, int begin, int end, int depth, unsigned seed);

/* One part, which a task of any kind submits. */
static void submit_part(Graph* graph, int begin, int end, int depth, unsigned seed) {
  const Names names = names_of(graph, begin, end);
  const int writes = names.writes, reads = names.reads;
  const int *written = names.written, *read = names.read;
  unsigned long* cells = graph->cells;
  unsigned state = seed;
  int kind = (int)below(&state, 10);
  int waits = kind == 0 || kind == 1;
  bobbin_set_task_transparent(kind == 0   ? bobbin_not_impex
                              : kind == 1 ? bobbin_import
                              : kind == 2 ? bobbin_export
                                          : bobbin_impex);
  switch (kind) {
    case 3:
#pragma omp task if (0) depend(iterator(k = 0 : writes), inout : cells[written[k]]) \
    depend(iterator(k = 0 : reads), in : cells[read[k]])
      submit(graph, begin, end, depth - 1, seed);
      break;
    case 4:
#pragma omp task untied depend(iterator(k = 0 : writes), inout : cells[written[k]]) \
    depend(iterator(k = 0 : reads), in : cells[read[k]])
      submit(graph, begin, end, depth - 1, seed);
      break;
    case 5:
#pragma omp task final(1) depend(iterator(k = 0 : writes), inout : cells[written[k]]) \
    depend(iterator(k = 0 : reads), in : cells[read[k]])
      submit(graph, begin, end, depth - 1, seed);
      break;
    case 6: {
      omp_event_handle_t event;
#pragma omp task detach(event) priority(3)                      \
    depend(iterator(k = 0 : writes), inout : cells[written[k]]) \
    depend(iterator(k = 0 : reads), in : cells[read[k]])
      {
        submit(graph, begin, end, depth - 1, seed);
        omp_fulfill_event(event);
      }
      break;
    }
    default:
#pragma omp task depend(iterator(k = 0 : writes), inout : cells[written[k]]) \
    depend(iterator(k = 0 : reads), in : cells[read[k]])
      if (waits) {
#pragma omp taskgroup
        submit(graph, begin, end, depth - 1, seed);
      } else {
        submit(graph, begin, end, depth - 1, seed);
      }
  }
}

static void submit(Graph* graph, int begin, int end, int depth, unsigned seed) {
  unsigned state = seed;
  if (depth > 0 && end - begin > 8) {
    int parts = 2 + (int)below(&state, 6);
    for (int p = 0; p < parts; p++) {
      int from = begin + (end - begin) * p / parts;
      int to = begin + (end - begin) * (p + 1) / parts;
      submit_part(graph, from, to, depth, seed * 31 + (unsigned)p);
    }
    return;
  }
  for (int i = begin; i < end; i++) {
    const Operation* op = &graph->operations[i];
    unsigned long* cells = graph->cells;
#pragma omp task depend(inout : cells[op->to]) depend(in : cells[op -> from], cells[op->other])
    operate(graph, i);
  }
}

static void values(void) {
  static Graph serial, parallel;
  for (unsigned seed = 1; seed <= 40; seed++) {
    make_graph(&serial, seed);
    parallel = serial;
    for (int i = 0; i < serial.count; i++) operate(&serial, i);
    int depth = 1 + (int)(seed % 4);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
      submit(&parallel, 0, parallel.count, depth, seed);
    }
    CHECK(memcmp(serial.cells, parallel.cells, sizeof serial.cells) == 0);
  }
}

/* --- The order in which tasks begin, wait and complete. */

/* The predecessors of an importing task are not complete until it has begun. */
static void begins_at_once(void) {
  int x = 0, begun = 0;
#pragma omp parallel
#pragma omp single
  if (omp_get_num_threads() > 1) {
#pragma omp task depend(out : x) shared(x, begun)
    {
      spin_until(&begun);
      x = 1;
    }
    CHECK_EQ(bobbin_set_task_transparent(bobbin_import), 0);
#pragma omp task depend(inout : x) shared(x, begun)
    {
      store(&begun, 1);
#pragma omp taskwait depend(in : x)
      CHECK_EQ(x, 1);
#pragma omp task depend(inout : x) shared(x)
      x *= 7;
#pragma omp taskwait
    }
#pragma omp task depend(in : x) shared(x)
    CHECK_EQ(x, 7);
  }
}

/* No taskloop is transparent, and none of its tasks is, although they are undeferred. gcc's code
 * copies an array of variable length by a function; clang rejects it. */
static void undeferred_loop(int length) {
#ifdef __clang__
  int numbers[4];
  length = 4;
#else
  int numbers[length];
#endif
  for (int i = 0; i < length; i++) numbers[i] = i;
#pragma omp taskloop if (0) grainsize(1) firstprivate(numbers, length)
  for (int i = 0; i < length; i++) CHECK_EQ(numbers[i], i);
}

enum { kDeferred, kUndeferred, kUndeferredBehindALoop };

/* A child completes long after its parent. taskwait does not wait for it, but later dependent tasks
 * do. */
static void completes_later(int how) {
  int x = 0, fulfilled = 0, followed = 0;
  omp_event_handle_t event;
#pragma omp parallel
#pragma omp single
  {
    CHECK_EQ(bobbin_set_task_transparent(bobbin_export), 0);
    if (how == kUndeferredBehindALoop) undeferred_loop(4);
#pragma omp task if (how == kDeferred) depend(out : x) shared(x, event)
    {
#pragma omp task detach(event) depend(out : x) shared(x)
      x = 5;
    }
#pragma omp taskwait
#pragma omp task depend(in : x) shared(x, fulfilled, followed)
    {
      CHECK_EQ(load(&fulfilled), 1);
      CHECK_EQ(x, 5);
      store(&followed, 1);
    }
    for (int i = 0; i < 20; i++) {
#pragma omp taskyield
    }
    CHECK_EQ(load(&followed), 0);
    store(&fulfilled, 1);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(followed, 1);
  }
}

static void completes_later_deferred(void) { completes_later(kDeferred); }
static void completes_later_undeferred(void) { completes_later(kUndeferred); }
static void completes_later_behind_a_loop(void) { completes_later(kUndeferredBehindALoop); }

/* By depend objects, and only by the addresses that both name. */
static void by_depobj(void) {
  int x = 0, y = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
    bobbin_set_task_transparent(bobbin_impex);
#pragma omp task depend(depobj : object) shared(x, y) firstprivate(i)
    {
#pragma omp task depend(inout : x) shared(x, y) firstprivate(i)
      {
        CHECK_EQ(x, i);
        x++;
      }
#pragma omp task depend(inout : y) shared(y)
      add_one(&y);
    }
  }
#pragma omp depobj(object) destroy
  CHECK_EQ(x, 50);
  CHECK_EQ(y, 50);
}

/* The order passes through as many tasks as there are that do nothing with the data. */
static void long_chain(void) {
  enum { kLength = 30000 };
  int x = 0, last = 0;
  omp_event_handle_t event;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(event) depend(out : x) shared(x)
    x = 1;
    for (int i = 0; i < kLength; i++) {
      bobbin_set_task_transparent(i % 8 ? bobbin_impex : bobbin_import);
#pragma omp task depend(inout : x)
      {
      }
    }
#pragma omp task depend(in : x) shared(x, last)
    last = x;
    omp_fulfill_event(event);
  }
  CHECK_EQ(last, 1);
}

/* All threads wait in tasks that have begun before the tasks for which they wait. */
static void waits_everywhere(void) {
  enum { kRows = 40 };
  int x = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kRows; i++) {
#pragma omp task depend(inout : x) shared(x)
    x++;
    bobbin_set_task_transparent(bobbin_impex);
#pragma omp task depend(inout : x) shared(x, sum) firstprivate(i)
    {
      bobbin_set_task_transparent(bobbin_impex);
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
      {
#pragma omp taskwait depend(in : x)
        CHECK_EQ(x, 3 * i + 1);
#pragma omp task depend(inout : x) shared(x)
        x++;
      }
#pragma omp task if (0) depend(inout : x) shared(x)
      x++;
      CHECK_EQ(x, 3 * i + 3);
#pragma omp taskgroup
      {
#pragma omp task depend(in : x) shared(sum)
        add_one(&sum);
      }
    }
  }
  CHECK_EQ(x, 3 * kRows);
  CHECK_EQ(sum, kRows);
}

/* The word goes with the task that said it, whichever thread goes on with that task; and a waiting
   one waits for what its grandchildren do. */
static void from_untied(void) {
  enum { kTasks = 200 };
  int x[kTasks] = {0}, others = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task untied shared(x, others) firstprivate(i)
    {
      bobbin_set_task_transparent(bobbin_impex);
#pragma omp task untied shared(others)
      {
#pragma omp taskyield
        add_one(&others);
      }
#pragma omp task depend(out : x[i]) shared(x) firstprivate(i)
      {
#pragma omp task depend(inout : x[i]) shared(x) firstprivate(i)
        {
          sched_yield();
          x[i] = 1;
        }
      }
#pragma omp taskwait depend(in : x[i])
      CHECK_EQ(x[i], 1);
    }
  }
  CHECK_EQ(others, kTasks);
}

/* The null pointer and mutexinoutset, which mean more than they say. */
static void coarsened(void) {
  int sum = 0, x = 0;
  char* nothing = NULL;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
    bobbin_set_task_transparent(bobbin_impex);
#pragma omp task depend(mutexinoutset : sum) depend(inout : nothing[0], x) shared(sum, x)
    {
#pragma omp task depend(mutexinoutset : sum) shared(sum)
      sum++;
#pragma omp task depend(mutexinoutset : sum) shared(sum)
      sum++;
#pragma omp task depend(in : nothing[0]) depend(inout : x) shared(x)
      x++;
    }
  }
  CHECK_EQ(sum, 100);
  CHECK_EQ(x, 50);
}

/* The gate of a task with so many predecessors is a separate block of 3 KB and more. */
static void many_readers(int rounds) {
  enum { kReaders = 200 };
  int x = 0;
  (void)x;
  for (int round = 0; round < rounds; round++) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
    {
    }
    for (int i = 0; i < kReaders; i++) {
#pragma omp task depend(in : x)
      {
      }
    }
    CHECK_EQ(bobbin_set_task_transparent(bobbin_import), 0);
#pragma omp task depend(inout : x)
    {
    }
    omp_fulfill_event(event);
#pragma omp taskwait
  }
}

static void entries_are_freed(void) {
  enum { kRounds = 200 };
  many_readers(10);
  const size_t before = mallinfo2().uordblks;
  many_readers(kRounds);
  CHECK((long)(mallinfo2().uordblks - before) < kRounds * 1024L);
}

static void cancelled(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 200; i++) {
      bobbin_set_task_transparent(bobbin_impex);
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
      {
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
        {
          x++;
          if (i == 20) {
#pragma omp cancel taskgroup
          }
        }
      }
    }
#pragma omp task depend(inout : x) shared(x, y)
    y = x;
  }
  CHECK(y == x && x >= 21);
  if (!omp_get_cancellation()) CHECK_EQ(x, 200);
}

/* The parent is cancelled while the predecessors of its children still run. These end when their
 * events have been fulfilled, and their memory may be reused. */
static void cancelled_detachable(void) {
  enum { kTasks = 40, kRounds = 10 };
  for (int round = 0; round < kRounds; round++) {
    int x = 0, others[kTasks] = {0}, cancelled = 0, ran = 0;
#pragma omp parallel
    {
#pragma omp masked
      {
        omp_event_handle_t first, events[kTasks];
        int executed;
#pragma omp task detach(first) depend(out : x)
        {
        }
#pragma omp taskgroup
        {
          for (int i = 0; i < kTasks; i++) {
            omp_event_handle_t event;
            bobbin_set_task_transparent(i % 2 == 0 ? bobbin_import : bobbin_impex);
#pragma omp task detach(event) depend(inout : x, others[i]) shared(ran)
            add_one(&ran);
            events[i] = event;
          }
          for (int i = 0; i < kTasks / 2; i++) omp_fulfill_event(events[i]);
#pragma omp task if (0)
          {
#pragma omp cancel taskgroup
          }
          store(&cancelled, 1);
          executed = load(&ran) != 0 || !omp_get_cancellation();
          if (executed) {
            for (int i = kTasks / 2; i < kTasks; i++) omp_fulfill_event(events[i]);
          }
        }
        if (!executed) {
          for (int i = kTasks / 2; i < kTasks; i++) omp_fulfill_event(events[i]);
        }
        for (int i = 0; i < kTasks; i++) {
          bobbin_set_task_transparent(bobbin_impex);
#pragma omp task depend(inout : others[i]) shared(others)
          others[i]++;
        }
        omp_fulfill_event(first);
      }
      spin_until(&cancelled);
    }
    for (int i = 0; i < kTasks; i++) CHECK_EQ(others[i], 1);
  }
}

/* The mark applies to the next task with depend clauses. Other tasks leave it. */
static void marking(void) {
  int x = 0, y = 0;
  CHECK_EQ(bobbin_set_task_transparent(-1), -1);
  CHECK_EQ(bobbin_set_task_transparent(4), -1);
  for (int taken_back = 0; taken_back < 2; taken_back++) {
    x = y = 0;
#pragma omp parallel
#pragma omp single
    {
      omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
      x = 1;
      CHECK_EQ(bobbin_set_task_transparent(bobbin_import), 0);
      CHECK_EQ(bobbin_set_task_transparent(7), -1);
#pragma omp task shared(y)
      add_one(&y);
      if (taken_back) CHECK_EQ(bobbin_set_task_transparent(bobbin_not_impex), 0);
      omp_event_handle_t* handle = &event;
#pragma omp task depend(inout : x) shared(x) firstprivate(handle)
      {
        if (taken_back) {
          CHECK_EQ(x, 1);
        } else {
          omp_fulfill_event(*handle);
        }
      }
      if (taken_back) omp_fulfill_event(event);
#pragma omp taskwait
    }
    CHECK_EQ(x, 1);
    CHECK_EQ(y, 1);
  }
}

/* The clauses name nothing, because an iterator has no iterations. The mark still applies to that
 * task, and the next one waits as usual. */
static void marking_of_nothing(void) {
  int x = 0, y = 0, none = 0;
  int* cells = &y;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
    {
    }
    CHECK_EQ(bobbin_set_task_transparent(bobbin_import), 0);
#pragma omp task depend(iterator(i = 0 : none), out : cells[i])
    {
    }
#pragma omp task depend(in : x) shared(x, y)
    y = x;
    for (int i = 0; i < 20; i++) {
#pragma omp taskyield
    }
    store(&x, 1);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(y, 1);
  }
}

int main(void) {
  CHECK_BEGIN();
  if (!bobbin_set_task_transparent) {
    fprintf(stderr, "not on Bobbin: there is nothing to test\n");
    return 1;
  }
  RUN(values);
  RUN(begins_at_once);
  RUN(completes_later_deferred);
  RUN(completes_later_undeferred);
  RUN(completes_later_behind_a_loop);
  RUN(by_depobj);
  RUN(long_chain);
  RUN(waits_everywhere);
  RUN(from_untied);
  RUN(coarsened);
  RUN(entries_are_freed);
  RUN(cancelled);
  RUN(cancelled_detachable);
  RUN(marking);
  RUN(marking_of_nothing);
  return check_end();
}
