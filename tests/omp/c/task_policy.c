/* SPDX-License-Identifier: Apache-2.0
 * Task policies set by the program: their visible effect on the order and place of tasks, what they
 * must not change, and refused policies. */
#include <bobbin/bobbin.h>

#include "check.h"
#include "fib.h"

/* Weak, so that a program that offers them links with any OpenMP runtime. */
#pragma weak bobbin_set_task_policy
#pragma weak bobbin_set_taskgroup_policy
#pragma weak bobbin_get_task_policy

static int in_force(const char* item) {
  char text[256];
  size_t length = bobbin_get_task_policy(text, sizeof text);
  CHECK(length < sizeof text && length == strlen(text));
  return strstr(text, item) != NULL;
}

static void refusals(void) {
  CHECK_EQ(bobbin_set_task_policy("creation=eager"), -1);
  CHECK_EQ(bobbin_set_task_policy("steal=lifo"), -1);
  CHECK_EQ(bobbin_set_task_policy(""), -1);
  CHECK_EQ(bobbin_set_taskgroup_policy("creation=adaptive"), -1); /* no taskgroup */
  CHECK_EQ(bobbin_set_task_policy("order=fifo,cutoff=tasks:9"), 0);
  CHECK(in_force("order=fifo") && in_force("cutoff=tasks:9"));
  CHECK_EQ(bobbin_set_task_policy("order=lifo"), 0);
  CHECK(in_force("order=lifo") && in_force("cutoff=tasks:9"));
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
  CHECK(!in_force("cutoff=tasks:9"));
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_policy("order=fifo"), -1);
    CHECK_EQ(bobbin_set_taskgroup_policy("cutoff=level"), -1);
    CHECK_EQ(bobbin_set_taskgroup_policy(NULL), -1);
    CHECK_EQ(bobbin_set_taskgroup_policy("cutoff=level:1"), 0);
  }
}

/* The group that a region with task reductions keeps internally is not a taskgroup of the
 * program. */
static void not_for_reductions(void) {
  int sum = 0;
#pragma omp parallel reduction(task, + : sum)
  {
    CHECK_EQ(bobbin_set_taskgroup_policy("cutoff=level:1"), -1);
    sum++;
  }
  CHECK_EQ(sum, omp_get_max_threads());
#pragma omp parallel
#pragma omp for reduction(task, + : sum)
  for (int i = 0; i < 50; i++) {
    CHECK_EQ(bobbin_set_taskgroup_policy("cutoff=level:1"), -1);
    sum++;
  }
  CHECK_EQ(sum, omp_get_max_threads() + 50);
}

/* The policy is an ICV of the task that sets it. Its children and inner regions inherit it. */
static void data_environment(void) {
  CHECK_EQ(bobbin_set_task_policy("cutoff=level:77"), 0);
#pragma omp parallel num_threads(2)
  {
    CHECK(in_force("cutoff=level:77"));
    if (omp_get_thread_num() == 0) CHECK_EQ(bobbin_set_task_policy("cutoff=level:78"), 0);
#pragma omp barrier
    CHECK(in_force(omp_get_thread_num() == 0 ? "cutoff=level:78" : "cutoff=level:77"));
#pragma omp task
    CHECK_EQ(bobbin_set_task_policy("cutoff=level:79"), 0);
#pragma omp taskwait
    CHECK(!in_force("cutoff=level:79"));
  }
  CHECK(in_force("cutoff=level:77"));
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

enum { kTasks = 100 };

typedef struct {
  int begun;         /* begun while the tasks were being created */
  int order[kTasks]; /* order in which they ran */
  int count;
} Run;

/* One thread makes tasks while the others are kept away, and then runs all of them. */
static void make_alone(Run* run) {
#pragma omp task if (0)
  for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i, run)
    run->order[run->count++] = i;
  }
}

/* A team of two, whose other thread spins within a task until everything is over. */
static Run observe(const char* policy, const char* group_policy) {
  Run run = {0};
  int arrived = 0, over = 0;
  CHECK_EQ(bobbin_set_task_policy(policy), 0);
#pragma omp parallel num_threads(2) shared(run, arrived, over)
  {
    CHECK_EQ(omp_get_num_threads(), 2);
    if (omp_get_thread_num() == 1) {
      __atomic_store_n(&arrived, 1, __ATOMIC_RELEASE);
      while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) usleep(50);
    } else {
      while (!__atomic_load_n(&arrived, __ATOMIC_ACQUIRE)) usleep(50);
#pragma omp taskgroup
      {
        if (group_policy) CHECK_EQ(bobbin_set_taskgroup_policy(group_policy), 0);
        make_alone(&run);
        run.begun = run.count;
      }
      CHECK_EQ(run.count, kTasks);
      __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    }
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
  return run;
}

static void creation(void) {
  CHECK_EQ(observe("creation=breadth-first", NULL).begun, 0);
  CHECK_EQ(observe("creation=work-first", NULL).begun, kTasks - 1);
  CHECK_EQ(observe("creation=breadth-first,cutoff=tasks:10", NULL).begun, kTasks - 10);
  CHECK_EQ(observe("creation=breadth-first,cutoff=level:1", NULL).begun, kTasks);
  CHECK_EQ(observe("creation=breadth-first,cutoff=level:2", NULL).begun, 0);
  int begun = observe("creation=adaptive", NULL).begun;
  CHECK(begun > 0 && begun < kTasks);
}

static void creation_of_a_taskgroup(void) {
  CHECK_EQ(observe("creation=adaptive", "creation=breadth-first").begun, 0);
  CHECK_EQ(observe("creation=breadth-first", "creation=work-first").begun, kTasks - 1);
  CHECK_EQ(observe("creation=work-first", "creation=breadth-first,cutoff=tasks:7").begun,
           kTasks - 7);
}

/* Tied tasks, which go into a queue of the team. Untied ones run on their own stacks. */
static void creation_beside_continuations(void) {
  const char* const policy = "creation=continuation";
  CHECK_EQ(observe(policy, "creation=breadth-first").begun, 0);
  CHECK_EQ(observe(policy, "creation=work-first").begun, kTasks - 1);
  CHECK_EQ(observe(policy, "creation=breadth-first,cutoff=tasks:10").begun, kTasks - 10);
  CHECK_EQ(observe("creation=continuation,cutoff=level:1", NULL).begun, kTasks);
}

static void local_order(void) {
  static const char* const fifo[] = {"creation=breadth-first,order=fifo",
                                     "creation=breadth-first,queue=combining",
                                     "creation=breadth-first,order=fifo,queue=locked"};
  static const char* const lifo[] = {"creation=breadth-first,order=lifo",
                                     "creation=breadth-first,queue=combining,order=lifo",
                                     "creation=breadth-first,queue=locked"};
  for (int p = 0; p < 3; p++) {
    Run first_in = observe(fifo[p], NULL), last_in = observe(lifo[p], NULL);
    for (int i = 0; i < kTasks; i++) {
      CHECK_EQ(first_in.order[i], i);
      CHECK_EQ(last_in.order[i], kTasks - 1 - i);
    }
  }
}

/* The tasks of one block run one after the other, although they are submitted pass by pass: with
 * one chain per block, and with tasks that only read the block. */
enum { kBlocks = 50, kPasses = 20 };

typedef struct {
  double blocks[kBlocks];
  int results[kPasses][kBlocks];
  int order[kPasses * kBlocks];
  int count;
} Passes;

/* Long enough that it does not count as a brief task, which would run at once. */
static void visit(Passes* all, int block) {
  for (volatile int turn = 0; turn < 20000; turn++) {
  }
  all->order[all->count++] = block;
}

static void submit_passes(Passes* all, int chained) {
#pragma omp task if (0)
  {
    for (int pass = 0; pass < kPasses; pass++)
      for (int b = 0; b < kBlocks; b++) {
        if (chained) {
#pragma omp task firstprivate(all, b) depend(inout : all -> blocks[b])
          visit(all, b);
        } else {
#pragma omp task firstprivate(all, b) depend(in : all -> blocks[b]) \
    depend(inout : all->results[pass][b])
          visit(all, b);
        }
      }
    CHECK_EQ(all->count, 0); /* nothing stops the look-ahead */
#pragma omp taskwait
  }
}

/* Returns how often a task works on another block than the previous task. */
static int changes_of_block(const char* policy, int chained) {
  static Passes all;
  memset(&all, 0, sizeof all);
  int arrived = 0, over = 0;
  CHECK_EQ(bobbin_set_task_policy(policy), 0);
#pragma omp parallel num_threads(2) shared(all, arrived, over)
  if (omp_get_thread_num() == 1) {
    __atomic_store_n(&arrived, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) usleep(50);
  } else {
    while (!__atomic_load_n(&arrived, __ATOMIC_ACQUIRE)) usleep(50);
    submit_passes(&all, chained);
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
  CHECK_EQ(all.count, kPasses * kBlocks);
  int changes = 0;
  for (int i = 1; i < all.count; i++) changes += all.order[i] != all.order[i - 1];
  return changes;
}

static void by_data(void) {
  for (int chained = 0; chained < 2; chained++) {
    CHECK(changes_of_block("queue=data", chained) < 2 * kBlocks);
    CHECK(changes_of_block("queue=data,order=lifo,steal=lifo", chained) < 2 * kBlocks);
  }
}

/* Throttling begins at a full queue and ends when the queue is 30 % empty, not before. */
static void throttle(const char* policy) {
  int ran[3] = {0}, arrived = 0, over = 0;
  CHECK_EQ(bobbin_set_task_policy(policy), 0);
#pragma omp parallel num_threads(2) shared(ran, arrived, over)
  if (omp_get_thread_num() == 1) {
    __atomic_store_n(&arrived, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) usleep(50);
  } else {
    while (!__atomic_load_n(&arrived, __ATOMIC_ACQUIRE)) usleep(50);
#pragma omp task if (0) shared(ran)
    {
      for (int i = 0; i < 12; i++) {
#pragma omp task shared(ran)
        ran[0]++;
      }
      CHECK_EQ(ran[0], 2); /* 10 are queued */
#pragma omp taskyield
#pragma omp taskyield
#pragma omp task shared(ran)
      ran[1]++;
      CHECK_EQ(ran[1], 1); /* 8 are queued: it still runs at once */
#pragma omp taskyield
#pragma omp task shared(ran)
      ran[2]++;
      CHECK_EQ(ran[2], 0); /* 7 were queued */
#pragma omp taskwait
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  }
  CHECK_EQ(ran[0] + ran[1] + ran[2], 14);
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

static void throttled_at_a_cutoff(void) { throttle("creation=breadth-first,cutoff=tasks:10"); }

static void throttled_at_full_queues(void) {
  throttle("creation=breadth-first,queue=combining:10");
  throttle("creation=breadth-first,queue=locked:10");
}

/* The policy holds from region to region, and nested regions have their own policy. */
static void changing(void) {
  static const char* const policies[] = {
      "creation=breadth-first", "queue=combining", "queue=locked,steal=lifo,amount=half",
      "queue=deque,steal=parent,cutoff=level:4", "creation=work-first,amount=half"};
  omp_set_max_active_levels(2);
  for (int p = 0; p < 15; p++) {
    long result = 0, inner = 0;
    CHECK_EQ(bobbin_set_task_policy(policies[p % 5]), 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(inner)
      {
        CHECK_EQ(bobbin_set_task_policy(policies[(p + 2) % 5]), 0);
#pragma omp parallel num_threads(2)
#pragma omp single
        inner = fib(8);
      }
      result = fib(12);
    }
    CHECK_EQ(result, 144);
    CHECK_EQ(inner, 21);
    CHECK_EQ(bobbin_set_task_policy(NULL), 0);
  }
  omp_set_max_active_levels(1);
}

/* A task that holds a lock waits for its children, and tasks that want the lock are queued, too.
 * They must not keep the first task from its children, wherever these are. */
struct family {
  omp_lock_t lock;
  int ready, begun, done, children;
};

static void want_lock(struct family* family) {
  store(&family->begun, 1);
  omp_set_lock(&family->lock);
  omp_unset_lock(&family->lock);
}

static void wait_with_lock(struct family* family, int with_thief) {
  omp_set_lock(&family->lock);
  for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(family)
    add_one(&family->children);
  }
  store(&family->ready, 1);
  if (with_thief) spin_until(&family->begun);
#pragma omp taskwait
  CHECK_EQ(load(&family->children), 3);
  omp_unset_lock(&family->lock);
  store(&family->done, 1);
}

static void children_behind_others(const char* policy, int with_thief) {
  CHECK_EQ(bobbin_set_task_policy(policy), 0);
  struct family shared = {.ready = 0}, *family = &shared;
  omp_init_lock(&family->lock);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(family)
      want_lock(family);
    }
#pragma omp task if (0) firstprivate(family)
    wait_with_lock(family, with_thief);
  } else {
    spin_until(with_thief ? &family->ready : &family->done);
  }
  omp_destroy_lock(&family->lock);
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

static void families(void) {
  children_behind_others("creation=breadth-first", 0);
  children_behind_others("creation=breadth-first,order=fifo", 0);
  children_behind_others("creation=breadth-first", 1);
  children_behind_others("creation=breadth-first,amount=half", 1);
  children_behind_others("creation=breadth-first,amount=half,order=fifo", 1);
}

/* Tasks with dependences and those of a taskloop are deferred, too, however many there are. So one
 * of them may wait for a later one. */
static void all_deferred(void) {
  enum { kBefore = 100, kChunks = 100 };
  static int done[kChunks];
  char data[kBefore + 2];
  int flag = 0, sum = 0;
  for (int i = 0; i < kChunks; i++) done[i] = 0;
  CHECK_EQ(bobbin_set_task_policy("creation=breadth-first"), 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  if (omp_get_num_threads() == 2) {
    for (int i = 0; i < kBefore; i++) {
#pragma omp task depend(out : data[i]) shared(sum)
      add_one(&sum);
    }
#pragma omp task depend(out : data[kBefore]) shared(flag)
    while (!load(&flag)) {
    }
#pragma omp task depend(out : data[kBefore + 1]) shared(flag)
    store(&flag, 1);
#pragma omp taskwait
#pragma omp taskloop num_tasks(kChunks)
    for (int i = 0; i < kChunks; i++) {
      while (i == 0 && !load(&done[1])) {
      }
      store(&done[i], 1);
    }
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

int main(void) {
  CHECK_BEGIN();
  if (!bobbin_set_task_policy) {
    fprintf(stderr, "not on Bobbin: there is nothing to test\n");
    return 1;
  }
  RUN(refusals);
  RUN(not_for_reductions);
  RUN(data_environment);
  RUN(creation);
  RUN(creation_of_a_taskgroup);
  RUN(creation_beside_continuations);
  RUN(local_order);
  RUN(by_data);
  RUN(throttled_at_a_cutoff);
  RUN(throttled_at_full_queues);
  RUN(changing);
  RUN(families);
  RUN(all_deferred);
  return check_end();
}
