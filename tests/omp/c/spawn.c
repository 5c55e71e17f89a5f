/* SPDX-License-Identifier: Apache-2.0
 * Spawn and sync of bobbin.h: results, scopes, copies, the executing thread, in and around
 * OpenMP. */
#include <bobbin/bobbin.h>

#include "check.h"

/* --- The intended use. */

struct call {
  int n;
  long result;
};

static void fib(void* argument) {
  struct call* call = argument;
  if (call->n < 2) {
    call->result = call->n;
    return;
  }
  struct call a = {call->n - 1, 0}, b = {call->n - 2, 0};
  bobbin_scope scope = BOBBIN_SCOPE;
  bobbin_spawn(&scope, fib, &a);
  bobbin_spawn(&scope, fib, &b);
  bobbin_sync(&scope);
  call->result = a.result + b.result;
}

static void recursion(void) {
  struct call call = {20, 0};
  fib(&call); /* outside of any region */
  CHECK_EQ(call.result, 6765);
#pragma omp parallel
  {
    struct call mine = {15, 0}; /* every thread has its own tree at the same time */
    fib(&mine);
    CHECK_EQ(mine.result, 610);
#pragma omp barrier
#pragma omp single
    {
      struct call more = {21, 0};
      fib(&more);
      CHECK_EQ(more.result, 10946);
    }
  }
}

/* --- Regions of its own. */

static void count_thread(void* argument) {
  int* threads = argument;
  CHECK_EQ(omp_get_thread_num(), 0);
  *threads = omp_get_num_threads();
}

static void region_in_region(void* argument) {
  struct call* call = argument;
  int threads = 0;
  if (omp_get_num_threads() > 1) {
    int outer = omp_get_num_threads(), level = omp_get_level();
    bobbin_parallel(count_thread, &threads, 7); /* a plain call */
    CHECK_EQ(threads, outer);
    CHECK_EQ(omp_get_level(), level);
  }
  bobbin_parallel(fib, call, 0);
}

static void regions(void) {
  int threads = 0;
  bobbin_parallel(count_thread, &threads, 0);
  CHECK_EQ(threads, omp_get_max_threads());
  bobbin_parallel(count_thread, &threads, 1);
  CHECK_EQ(threads, 1);
  bobbin_parallel(count_thread, &threads, 3);
  CHECK_EQ(threads, 3);
  CHECK_EQ(omp_get_level(), 0);
  struct call call = {18, 0};
  bobbin_parallel(region_in_region, &call, 0);
  CHECK_EQ(call.result, 2584);
}

/* --- Another thread executes a deferred call, while the maker does something else. */

struct meeting {
  int begun, seen;
  int by;
};

static void begin_and_wait(void* argument) {
  struct meeting* meeting = argument;
  meeting->by = omp_get_thread_num();
  store(&meeting->begun, 1);
  spin_until(&meeting->seen);
}

static void meet(void* argument) {
  struct meeting* meeting = argument;
  bobbin_scope scope = BOBBIN_SCOPE;
  bobbin_spawn(&scope, begin_and_wait, meeting); /* it is the first one, so it is deferred */
  spin_until(&meeting->begun);
  CHECK(meeting->by != omp_get_thread_num());
  store(&meeting->seen, 1);
  bobbin_sync(&scope);
}

static void others_help(void) {
  for (int i = 0; i < 100; i++) {
    /* A larger region comes before, whose third thread has no part in the meeting. */
    int threads = 0;
    if (i % 2 != 0) bobbin_parallel(count_thread, &threads, 3);
    struct meeting meeting = {0, 0, -1};
    bobbin_parallel(meet, &meeting, 2);
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    struct meeting meeting = {0, 0, -1};
    meet(&meeting);
  }
}

/* --- Copies of arguments. */

enum { kCopies = 300 };
static int sums[kCopies];

struct item {
  int index;
  char filling[100];
  int value;
};

static void add_item(void* argument) {
  const struct item* item = argument;
  __atomic_fetch_add(&sums[item->index], item->value, __ATOMIC_RELAXED);
}

static void spawn_copies(void* unused) {
  (void)unused;
  bobbin_scope scope = BOBBIN_SCOPE;
  for (int i = 0; i < kCopies; i++) {
    struct item item = {.index = i, .value = i + 1};
    bobbin_spawn_copy(&scope, add_item, &item, sizeof item);
    item.index = item.value = -1;
  }
  bobbin_sync(&scope);
}

static void copies(void) {
  memset(sums, 0, sizeof sums);
  spawn_copies(NULL);
  bobbin_parallel(spawn_copies, NULL, 0);
  CHECK_EQ(bobbin_set_task_policy("creation=breadth-first"), 0);
  bobbin_parallel(spawn_copies, NULL, 0);
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
  for (int i = 0; i < kCopies; i++) CHECK_EQ(sums[i], 3 * (i + 1));
}

/* --- One scope for a whole tree: a spawned function spawns in the scope in which it was
 * spawned. */

struct shared_tree {
  bobbin_scope* scope;
  int depth;
  int* leaves;
};

static void grow(void* argument) {
  const struct shared_tree* tree = argument;
  if (tree->depth == 0) {
    add_one(tree->leaves);
    return;
  }
  struct shared_tree below = {tree->scope, tree->depth - 1, tree->leaves};
  for (int i = 0; i < 3; i++) bobbin_spawn_copy(tree->scope, grow, &below, sizeof below);
}

static void grow_shared(void* unused) {
  (void)unused;
  bobbin_scope scope = BOBBIN_SCOPE;
  for (int round = 1; round <= 3; round++) { /* and again after a sync */
    int leaves = 0;
    struct shared_tree tree = {&scope, 7, &leaves};
    grow(&tree);
    bobbin_sync(&scope);
    CHECK_EQ(leaves, 2187);
    bobbin_sync(&scope); /* nothing to wait for */
  }
}

static void shared_scope(void) {
  grow_shared(NULL);
  bobbin_parallel(grow_shared, NULL, 0);
}

/* --- Two scopes at once: each waits for its own. */

struct gate {
  int open;
  int passed;
};

static void pass_gate(void* argument) {
  struct gate* gate = argument;
  spin_until(&gate->open);
  gate->passed = 1;
}

static void nothing(void* argument) { store(argument, 1); }

static void two_scopes(void* unused) {
  (void)unused;
  CHECK_EQ(omp_get_num_threads(), 2);
  struct gate gate = {0, 0};
  int done = 0;
  bobbin_scope slow = BOBBIN_SCOPE, quick = BOBBIN_SCOPE;
  bobbin_spawn(&slow, pass_gate, &gate);
  bobbin_spawn(&quick, nothing, &done);
  bobbin_sync(&quick); /* while the other thread waits at the gate, or is about to */
  CHECK_EQ(done, 1);
  store(&gate.open, 1);
  bobbin_sync(&slow);
  CHECK(gate.passed);
}

static void scopes_apart(void) { bobbin_parallel(two_scopes, NULL, 2); }

/* --- Deeper than a stack. With sanitizers, which allow no change of stacks, it is less deep. */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { kLevels = 200 };
#else
enum { kLevels = 2500 }; /* some 20 MB */
#endif

struct level {
  long left;
  long sum;
  char filling[8000];
};

static void descend(void* argument) {
  struct level* level = argument;
  if (level->left == 0) {
    level->sum = 0;
    return;
  }
  struct level below;
  below.left = level->left - 1;
  bobbin_scope scope = BOBBIN_SCOPE;
  bobbin_spawn(&scope, descend, &below);
  bobbin_sync(&scope);
  level->sum = below.sum + level->left;
}

static void depth(void) {
  struct level top = {.left = kLevels};
  descend(&top);
  CHECK_EQ(top.sum, kLevels * (kLevels + 1L) / 2);
  bobbin_parallel(descend, &top, 0);
  CHECK_EQ(top.sum, kLevels * (kLevels + 1L) / 2);
}

/* --- Together with OpenMP's own tasks. */

struct mixed {
  int depth;
  long sum;
};

static void mix(void* argument) {
  struct mixed* mixed = argument;
  if (mixed->depth == 0) {
    mixed->sum = 1;
    return;
  }
  struct mixed a = {mixed->depth - 1, 0}, b = a, c = a, d = a;
  bobbin_scope scope = BOBBIN_SCOPE;
  bobbin_spawn(&scope, mix, &a);
#pragma omp task shared(b)
  mix(&b);
#pragma omp taskgroup
  {
    bobbin_scope inner = BOBBIN_SCOPE;
    bobbin_spawn(&inner, mix, &c);
#pragma omp task shared(d) untied
    mix(&d);
    bobbin_sync(&inner);
  }
  CHECK_EQ(c.sum, d.sum);
#pragma omp taskwait
  bobbin_sync(&scope);
  mixed->sum = a.sum + b.sum + c.sum + d.sum;
}

static void mixture(void) {
  struct mixed top = {7, 0};
#pragma omp parallel
#pragma omp single
  mix(&top);
  CHECK_EQ(top.sum, 16384);
  top.sum = 0;
  bobbin_parallel(mix, &top, 0);
  CHECK_EQ(top.sum, 16384);
  /* In a final task nothing is deferred. */
  int maker = -1;
  long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task final(1) shared(maker, sum)
  {
    maker = omp_get_thread_num();
    for (int i = 0; i < 20; i++) {
      struct mixed one = {0, 0};
      bobbin_scope scope = BOBBIN_SCOPE;
      bobbin_spawn(&scope, mix, &one);
      CHECK_EQ(one.sum, 1);
      sum += one.sum;
      bobbin_sync(&scope);
    }
    CHECK_EQ(maker, omp_get_thread_num());
  }
  CHECK_EQ(sum, 20);
}

/* --- A region's policy holds: with breadth-first, calls that run before the sync run in other
 * threads. */

struct watched {
  int syncing;  // atomic
  int maker;
};

static void be_watched(void* argument) {
  struct watched* watched = argument;
  CHECK(__atomic_load_n(&watched->syncing, __ATOMIC_RELAXED) ||
        omp_get_thread_num() != watched->maker);
}

static void watch(void* unused) {
  (void)unused;
  if (omp_get_num_threads() == 1) return;
  struct watched watched = {0, omp_get_thread_num()};
  bobbin_scope scope = BOBBIN_SCOPE;
  for (int i = 0; i < 100; i++) bobbin_spawn(&scope, be_watched, &watched);
  __atomic_store_n(&watched.syncing, 1, __ATOMIC_RELAXED);
  bobbin_sync(&scope);
}

static void policies(void) {
  CHECK_EQ(bobbin_set_task_policy("creation=breadth-first"), 0);
  bobbin_parallel(watch, NULL, 0);
  static const char* const policies[] = {"creation=work-first",
                                         "cutoff=level:2",
                                         "creation=breadth-first,cutoff=tasks:8",
                                         "queue=combining",
                                         "queue=locked,steal=lifo,amount=half",
                                         "order=fifo"};
  for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
    CHECK_EQ(bobbin_set_task_policy(NULL), 0);
    CHECK_EQ(bobbin_set_task_policy(policies[p]), 0);
    struct call call = {17, 0};
    bobbin_parallel(fib, &call, 0);
    CHECK_EQ(call.result, 1597);
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

/* --- Cancellation ends tasks, but not spawned calls. */

static void count_one(void* argument) { add_one(argument); }

static void cancellation(void) {
  CHECK_EQ(bobbin_set_task_policy("creation=breadth-first"), 0);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    int spawned = 0, tasks = 0;
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
#pragma omp taskwait
    bobbin_scope scope = BOBBIN_SCOPE;
    for (int i = 0; i < 50; i++) bobbin_spawn(&scope, count_one, &spawned);
#pragma omp task shared(tasks)
    add_one(&tasks);
#pragma omp taskwait
    bobbin_sync(&scope);
    CHECK_EQ(spawned, 50);
    CHECK_EQ(tasks, omp_get_cancellation() ? 0 : 1);
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

/* Taskgroups around the spawn, or later ones, do not affect the tasks that the call makes. */
static void count_by_task(void* argument) {
  int* tasks = argument;
#pragma omp task
  add_one(tasks);
#pragma omp taskwait
}

static void spawn_in_taskgroup(void* argument) {
  if (omp_get_num_threads() == 1) return;
  int* tasks = argument;
  bobbin_scope scope = BOBBIN_SCOPE;
#pragma omp taskgroup
  for (int i = 0; i < 50; i++) bobbin_spawn(&scope, count_by_task, tasks);
#pragma omp taskgroup
  {
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
  }
  bobbin_sync(&scope);
  CHECK_EQ(*tasks, 50);
}

static void cancellation_later(void) {
  CHECK_EQ(bobbin_set_task_policy("creation=breadth-first"), 0);
  for (int round = 0; round < 20; round++) {
    int tasks = 0;
    bobbin_parallel(spawn_in_taskgroup, &tasks, 2);
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

int main(void) {
  CHECK_BEGIN();
  RUN(recursion);
  RUN(regions);
  RUN(others_help);
  RUN(copies);
  RUN(shared_scope);
  RUN(scopes_apart);
  RUN(depth);
  RUN(mixture);
  RUN(policies);
  RUN(cancellation);
  RUN(cancellation_later);
  return check_end();
}
