/* SPDX-License-Identifier: Apache-2.0
 * Random programs of tasks, compared with a sequential analysis. A tree of tasks is drawn from a
 * seed, with all clauses that a task can have, and with groups, loops, waits and inner regions
 * around its children. Then it is executed, each tree under another policy. Each task must run
 * once, with its data, in the order that the dependences among siblings demand. Waits must wait.
 * Tied tasks must stay in their thread, and threads must respect the task scheduling constraint.
 *
 *   task_random [first seed [number of seeds]] */
#include <bobbin/bobbin.h>
#include <pthread.h>
#include <sched.h>

#include "random_tree.h"

/* Weak, so that the program links with any OpenMP runtime. */
#pragma weak bobbin_set_task_policy
#pragma weak bobbin_set_taskgroup_policy
#pragma weak bobbin_set_taskgroup_scheduler

/* --- Tied tasks. */

static __thread Node* tied_here;

__attribute__((noinline)) static Node** tied_stack(void) {
  __asm__ volatile("");
  return &tied_here;
}

static int descends(const Node* n, const Node* from) {
  while (n != NULL && n != from) n = n->parent;
  return n == from;
}

static void push_tied(Node* n) {
  n->below = *tied_stack();
  *tied_stack() = n;
}

static void pop_tied(Node* n) {
  CHECK(*tied_stack() == n);
  *tied_stack() = n->below;
}

/* --- Events that a thread unknown to OpenMP fulfils. */

static pthread_mutex_t mail_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t mail_came = PTHREAD_COND_INITIALIZER;
static Node* mail[kNodes];
static int mail_count, mail_ends;

static void fulfil(Node* n, omp_event_handle_t event) {
  store(&n->fulfilled, stamp());
  omp_fulfill_event(event);
}

static void post(Node* n) {
  pthread_mutex_lock(&mail_lock);
  mail[mail_count++] = n;
  pthread_cond_signal(&mail_came);
  pthread_mutex_unlock(&mail_lock);
}

static void* fulfil_posted(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mail_lock);
  while (mail_count != 0 || !mail_ends) {
    if (mail_count == 0) {
      pthread_cond_wait(&mail_came, &mail_lock);
      continue;
    }
    Node* n = mail[--mail_count];
    pthread_mutex_unlock(&mail_lock);
    fulfil(n, n->event);
    pthread_mutex_lock(&mail_lock);
  }
  pthread_mutex_unlock(&mail_lock);
  return NULL;
}

/* --- A scheduler for groups: last in, first out. */

typedef struct {
  pthread_mutex_t lock;
  bobbin_task tasks[kNodes];
  int count;
} Shelf;

static void shelf_ready(void* user, int thread, bobbin_task task, const bobbin_task_facts* facts) {
  Shelf* shelf = user;
  (void)thread;
  (void)facts;
  pthread_mutex_lock(&shelf->lock);
  shelf->tasks[shelf->count++] = task;
  pthread_mutex_unlock(&shelf->lock);
}

static bobbin_task shelf_next(void* user, int thread) {
  Shelf* shelf = user;
  (void)thread;
  pthread_mutex_lock(&shelf->lock);
  bobbin_task task = shelf->count != 0 ? shelf->tasks[--shelf->count] : 0;
  pthread_mutex_unlock(&shelf->lock);
  return task;
}

/* --- Running it. */

static void run_children(Node* n);

static void run_body(Node* n, int tag) {
  int tied = is_tied(n) && !loops(n->parent);
  int me = omp_get_thread_num();
  CHECK_EQ(add_one(&n->runs), 1);
  CHECK_EQ(tag, n->tag);
  if (!loops(n->parent)) CHECK_EQ(!!omp_in_final(), n->final);
  if (tied) {
    if (!undeferred(n))
      for (const Node* held = *tied_stack(); held != NULL; held = held->below)
        CHECK(descends(n, held));
    push_tied(n);
  }
  store(&n->begin, stamp());
  for (volatile int turn = 0; turn < n->work; turn++) {
  }
  run_children(n);
  if (tied) {
    CHECK_EQ(omp_get_thread_num(), me);
    pop_tied(n);
  }
  store(&n->end, stamp());
}

/* Every task begins with this. */
#define MAY_LEAVE(n)                         \
  {                                          \
    if ((n)->cancels) {                      \
      PRAGMA(omp cancel taskgroup)           \
    }                                        \
    PRAGMA(omp cancellation point taskgroup) \
  }
#define TASK(clauses, statement)                  \
  PRAGMA(omp task firstprivate(n, tag) clauses) { \
    MAY_LEAVE(n)                                  \
    statement;                                    \
    run_body(n, tag);                             \
  }

#define EACH(kind) iterator(int k = 0 : n->dep_count[kind])
#define NAMED(kind) p->cells[n->dep[kind][k]]
#ifdef NEWER_KINDS
#define DEPEND_ON_SETS depend(EACH(kInoutset), inoutset : NAMED(kInoutset))
#else
#define DEPEND_ON_SETS
#endif
#define DEPEND                                                               \
  depend(EACH(kIn), in : NAMED(kIn)) depend(EACH(kOut), inout : NAMED(kOut)) \
      depend(EACH(kMutex), mutexinoutset : NAMED(kMutex)) DEPEND_ON_SETS

static void create_with_objects(Node* n, int tag) {
  Node* p = n->parent;
  enum { kMost = 3 };
  omp_depend_t objects[kMost], *object = objects;
  for (int kind = 0; kind < kKinds; kind++)
    for (int i = 0; i < n->dep_count[kind]; i++) {
      char* cell = &p->cells[n->dep[kind][i]];
      if (kind == kIn) {
#pragma omp depobj(*object) depend(in : *cell)
      } else if (kind == kOut) {
#pragma omp depobj(*object) depend(in : *cell)
#pragma omp depobj(*object) update(inout)
      } else {
#pragma omp depobj(*object) depend(out : *cell)
#pragma omp depobj(*object) update(mutexinoutset)
      }
      object++;
    }
  omp_depend_t *a = objects, *b = objects + 1, *c = objects + 2;
  switch (object - objects) {
    case 1:
      TASK(depend(depobj : *a), )
      break;
    case 2:
      TASK(depend(depobj : *a) depend(depobj : *b), )
      break;
    case 3:
      TASK(depend(depobj : *a) depend(depobj : *b) depend(depobj : *c), )
      break;
  }
  while (object-- != objects) {
#pragma omp depobj(*object) destroy
  }
}

static void after_detached(Node* n, omp_event_handle_t event) {
  n->event = event;
  if (n->fulfils == kByParent) fulfil(n, event);
  if (n->fulfils == kByPthread) post(n);
}

static void create(Node* n) {
  Node* p = n->parent;
  int tag = n->tag;
  store(&n->created, 1);
  switch (n->shape) {
    case kUntied:
      TASK(untied, )
      break;
    case kMergeable:
      TASK(mergeable, )
      break;
    case kIf:
      TASK(if (n->condition), )
      break;
    case kFinal:
      TASK(final(n->final), )
      break;
    case kPriority:
      TASK(priority(n->priority), )
      break;
    case kBigData: {
      int big[kBig];
      for (int i = 0; i < kBig; i++) big[i] = tag + i;
      TASK(firstprivate(big), for (int i = 0; i < kBig; i++) CHECK_EQ(big[i], tag + i))
      memset(big, 0, sizeof big);
      break;
    }
    case kAffinity:
      TASK(affinity(p->cells), )
      break;
    case kDepend:
      TASK(DEPEND, )
      break;
    case kDependUntied:
      TASK(DEPEND untied, )
      break;
    case kDependPriority:
      TASK(DEPEND priority(n->priority), )
      break;
    case kDependIf:
      TASK(DEPEND if (n->condition), )
      break;
    case kDepobj:
      create_with_objects(n, tag);
      break;
    case kAllMemory:
#ifdef NEWER_KINDS
      TASK(depend(inout : omp_all_memory), )
#endif
      break;
    case kDetach: {
      omp_event_handle_t event;
      TASK(detach(event), if (n->fulfils == kBySelf) fulfil(n, event))
      after_detached(n, event);
      break;
    }
    case kDetachDepend: {
      omp_event_handle_t event;
      TASK(DEPEND detach(event), if (n->fulfils == kBySelf) fulfil(n, event))
      after_detached(n, event);
      break;
    }
    case kInReduction: {
      long* sum = &n->reduction->sum;
      TASK(in_reduction(+ : sum [0:1]), sum[0] += tag)
      break;
    }
    case kInReductionDepend: {
      long* sum = &n->reduction->sum;
      TASK(DEPEND in_reduction(+ : sum [0:1]), sum[0] += tag)
      break;
    }
    case kPlain:
    case kShapes:
      TASK(, )
      break;
  }
  if (undeferred(n)) EXPECT_COMPLETED(n);
}

static void create_all(Node* n) {
  for (int i = 0; i < n->count; i++) {
    Node* child = &n->children[i];
    create(child);
    Node* before = i > 0 ? &n->children[i - 1] : NULL;
    if (before != NULL && detaches(before) && before->fulfils == kAfterNext)
      fulfil(before, before->event);
    switch (child->after) {
      case kTaskwait: {
#pragma omp taskwait
        expect_children(n, i + 1);
        break;
      }
      case kTaskwaitDepend: {
        int cell = child->wait_cell;
#pragma omp taskwait depend(inout : n->cells[cell])
        expect_predecessors(n, i + 1, cell);
        break;
      }
      case kTaskyield: {
#pragma omp taskyield
        break;
      }
      case kGoOn:
        break;
    }
  }
}

static long reduced(const Node* n, const Node* group) {
  long sum = 0;
  if (n != group && n->reduction == group && load(&n->begin) != 0 &&
      (n->shape == kInReduction || n->shape == kInReductionDepend))
    sum = n->tag;
  for (int i = 0; i < n->count; i++) sum += reduced(&n->children[i], group);
  return sum;
}

static void run_in_group(Node* n) {
  Shelf* shelf = NULL;
#pragma omp taskgroup
  {
    if (n->steered == 1 && bobbin_set_taskgroup_policy) {
      static const char* const policies[] = {"creation=breadth-first", "creation=work-first",
                                             "creation=breadth-first,cutoff=tasks:3",
                                             "cutoff=level:2"};
      CHECK_EQ(bobbin_set_taskgroup_policy(policies[n->tag % 4]), 0);
    }
    if (n->steered == 2 && bobbin_set_taskgroup_scheduler) {
      static const bobbin_scheduler calls = {shelf_ready, shelf_next, NULL};
      shelf = calloc(1, sizeof *shelf);
      pthread_mutex_init(&shelf->lock, NULL);
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&calls, shelf), 0);
    }
    create_all(n);
  }
  free(shelf);
  for (int i = 0; i < n->count; i++) expect_completed_tree(&n->children[i]);
}

static void run_with_reduction(Node* n) {
  n->sum = 1;
  long* sum = &n->sum;
#pragma omp taskgroup task_reduction(+ : sum[0 : 1])
  create_all(n);
  for (int i = 0; i < n->count; i++) expect_completed_tree(&n->children[i]);
  CHECK_EQ(n->sum, 1 + reduced(n, n));
}

static void run_loop(Node* n) {
  long sum = 0;
  for (int i = 0; i < n->count; i++) store(&n->children[i].created, 1);
  switch (n->tag % 4) {
    case 0:
#pragma omp taskloop reduction(+ : sum)
      for (int i = 0; i < n->count; i++) {
        sum += i;
        run_body(&n->children[i], n->children[i].tag);
      }
      CHECK(sum == (long)n->count * (n->count - 1) / 2 || n->may_be_cancelled);
      break;
    case 1:
#pragma omp taskloop grainsize(2) untied
      for (int i = 0; i < n->count; i++) run_body(&n->children[i], n->children[i].tag);
      break;
    case 2:
#pragma omp taskloop num_tasks(3) priority(n->priority)
      for (int i = 0; i < n->count; i++) run_body(&n->children[i], n->children[i].tag);
      break;
    default:
#pragma omp taskloop grainsize(1) collapse(2)
      for (int i = 0; i < n->count; i++)
        for (int k = 0; k < 2; k++)
          if (k == 1) run_body(&n->children[i], n->children[i].tag);
      break;
  }
  for (int i = 0; i < n->count; i++) expect_completed_tree(&n->children[i]);
}

static void run_loop_nogroup(Node* n) {
  for (int i = 0; i < n->count; i++) store(&n->children[i].created, 1);
#pragma omp taskloop nogroup grainsize(1) if (n->tag % 3 != 0)
  for (int i = 0; i < n->count; i++) run_body(&n->children[i], n->children[i].tag);
#pragma omp taskwait
  expect_children(n, n->count);
}

static void run_children(Node* n) {
  switch (n->body) {
    case kNothing:
    case kBodies:
      create_all(n);
      break;
    case kWait:
      create_all(n);
#pragma omp taskwait
      expect_children(n, n->count);
      break;
    case kGroup:
      run_in_group(n);
      break;
    case kGroupReduction:
      run_with_reduction(n);
      break;
    case kLoop:
      run_loop(n);
      break;
    case kLoopNogroup:
      run_loop_nogroup(n);
      break;
    case kInner:
#pragma omp parallel num_threads(2)
#pragma omp single
      create_all(n);
      for (int i = 0; i < n->count; i++) expect_completed_tree(&n->children[i]);
      break;
  }
}

static const char* const policies[] = {
    NULL,
    "creation=breadth-first",
    "creation=work-first",
    "creation=continuation",
    NULL,
    "creation=breadth-first,order=fifo,amount=half,steal=parent",
    "creation=continuation,cutoff=tasks:2,queue=combining",
    "queue=combining",
    "queue=combining,order=lifo,steal=lifo,creation=breadth-first",
    "queue=locked,steal=lifo,amount=half,creation=breadth-first,cutoff=tasks:4",
    "queue=data",
    "queue=data,order=lifo,steal=lifo,amount=half,creation=breadth-first",
    "creation=breadth-first,cutoff=adaptive",
    "creation=work-first,amount=half,cutoff=level:2",
};

static int seed;

static void tree(void) {
  draw_tree(seed);
  enum { kPolicies = sizeof policies / sizeof *policies };
  if (bobbin_set_task_policy) CHECK_EQ(bobbin_set_task_policy(policies[seed % kPolicies]), 0);
#pragma omp parallel
#pragma omp masked
  {
    Node* root = &nodes[0];
    root->begin = 1;
    push_tied(root);
    run_children(root);
    pop_tied(root);
  }
  check_tree();
}

int main(int argc, char** argv) {
  int first = argc > 1 ? atoi(argv[1]) : 100 * omp_get_max_threads();
  int count = argc > 2 ? atoi(argv[2]) : repeats(300);
  CHECK_BEGIN();
  omp_set_max_active_levels(3);
  pthread_t mailman;
  pthread_create(&mailman, NULL, fulfil_posted, NULL);
  for (seed = first; seed < first + count && check_failures == 0; seed++) {
    char name[64];
    snprintf(name, sizeof name, "seed %d", seed);
    check_case = name;
    tree();
  }
  pthread_mutex_lock(&mail_lock);
  mail_ends = 1;
  pthread_cond_signal(&mail_came);
  pthread_mutex_unlock(&mail_lock);
  pthread_join(mailman, NULL);
  return check_end();
}
