/* SPDX-License-Identifier: Apache-2.0
 * The program's own schedulers: every task is passed to the scheduler and run once, in the order
 * that the callbacks choose. A violation of the contract ends the program with a message. */
#include <bobbin/bobbin.h>
#include <pthread.h>
#include <sys/wait.h>

#include "check.h"
#include "fib.h"

#pragma weak bobbin_set_taskgroup_scheduler
#pragma weak bobbin_set_task_hint
#pragma weak bobbin_set_task_transparent
#pragma weak bobbin_set_task_policy

/* One list for all tasks: the greatest hint first, and the youngest of equal ones. */
enum { kMost = 4096 };

typedef struct {
  pthread_mutex_t lock;
  bobbin_task tasks[kMost];
  unsigned long long hints[kMost];
  const void *data, *other_data; /* data of the last task */
  int count, handed, given, stolen;
  int closed; /* gives no task to any thread */
} List;

static void init_list(List* list) {
  memset(list, 0, sizeof *list);
  pthread_mutex_init(&list->lock, NULL);
}

static void ready(void* user, int thread, bobbin_task task, const bobbin_task_facts* facts) {
  List* list = user;
  pthread_mutex_lock(&list->lock);
  CHECK(thread >= -1 && task != 0 && facts->size == sizeof *facts);
  int at = list->count++;
  for (; at > 0 && list->hints[at - 1] > facts->hint; at--) {
    list->tasks[at] = list->tasks[at - 1];
    list->hints[at] = list->hints[at - 1];
  }
  list->tasks[at] = task;
  list->hints[at] = facts->hint;
  list->data = facts->data;
  list->other_data = facts->other_data;
  list->handed++;
  pthread_mutex_unlock(&list->lock);
}

static bobbin_task take(List* list) {
  bobbin_task task = 0;
  pthread_mutex_lock(&list->lock);
  if (list->count > 0 && !__atomic_load_n(&list->closed, __ATOMIC_ACQUIRE)) {
    task = list->tasks[--list->count];
    list->given++;
  }
  pthread_mutex_unlock(&list->lock);
  return task;
}

static bobbin_task next(void* user, int thread) {
  CHECK(thread >= 0);
  return take(user);
}

/* A thread gets no tasks for itself, but may steal all tasks of the thread before it. */
static bobbin_task next_none(void* user, int thread) {
  (void)user, (void)thread;
  return 0;
}

static bobbin_task steal(void* user, int thread, int victim) {
  List* list = user;
  CHECK(thread >= 0 && victim >= 0 && victim != thread);
  bobbin_task task = take(list);
  if (task != 0) __atomic_add_fetch(&list->stolen, 1, __ATOMIC_RELAXED);
  return task;
}

static const bobbin_scheduler kList = {ready, next, NULL};
static const bobbin_scheduler kThieves = {ready, next_none, steal};

static void refusals(void) {
  static List list;
  init_list(&list);
  const bobbin_scheduler no_ready = {NULL, next, NULL}, no_next = {ready, NULL, NULL};
  CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), -1); /* no taskgroup */
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp taskgroup
    {
      CHECK_EQ(bobbin_set_taskgroup_scheduler(NULL, &list), -1);
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&no_ready, &list), -1);
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&no_next, &list), -1);
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), 0);
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), -1);
    }
    int release = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(release)
      while (!__atomic_load_n(&release, __ATOMIC_ACQUIRE)) usleep(50);
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), -1); /* it has a task */
      __atomic_store_n(&release, 1, __ATOMIC_RELEASE);
    }
  }
  CHECK_EQ(list.handed, 0);
}

/* --- Every task once. */

static void recursion_on(const bobbin_scheduler* scheduler) {
  static List list;
  init_list(&list);
  long result = 0;
#pragma omp parallel shared(list, result)
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_scheduler(scheduler, &list), 0);
    result = fib(14);
  }
  CHECK_EQ(result, 377);
  CHECK_EQ(list.count, 0);
  CHECK_EQ(list.handed, list.given);
  /* 609 calls have two children each. */
  CHECK_EQ(list.handed, omp_get_max_threads() > 1 ? 1218 : 0);
}

static void recursion(void) {
  recursion_on(&kList);
  if (omp_get_max_threads() == 1) return;
  recursion_on(&kThieves);
}

enum { kRows = 40, kColumns = 12 };

/* Chains, and tasks of inner taskgroups, which have the same scheduler. */
static void dependences(void) {
  static List list;
  static int values[kRows], inner[kRows];
  init_list(&list);
  memset(values, 0, sizeof values);
  memset(inner, 0, sizeof inner);
#pragma omp parallel shared(list, values, inner)
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), 0);
    for (int column = 0; column < kColumns; column++)
      for (int row = 0; row < kRows; row++) {
#pragma omp task firstprivate(row, column) shared(values, inner) depend(inout : values[row])
        {
          CHECK_EQ(values[row], column);
          values[row]++;
#pragma omp taskgroup
          {
#pragma omp task shared(inner)
            __atomic_add_fetch(&inner[row], 1, __ATOMIC_RELAXED);
          }
          CHECK_EQ(inner[row], column + 1);
        }
      }
  }
  for (int row = 0; row < kRows; row++) CHECK_EQ(values[row], kColumns);
  CHECK_EQ(list.count, 0);
  CHECK_EQ(list.handed, list.given);
  if (omp_get_max_threads() > 1) CHECK_EQ(list.handed, 2 * kRows * kColumns);
}

/* Transparent tasks as well, which can only export here, and the tasks that they make. */
static void transparent(int impex) {
  enum { kColumns = 4 };
  static List list;
  static int values[kRows];
  init_list(&list);
  memset(values, 0, sizeof values);
#pragma omp parallel shared(list, values)
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), 0);
    for (int column = 0; column < kColumns; column++)
      for (int row = 0; row < kRows; row++) {
        CHECK_EQ(bobbin_set_task_transparent(impex), 0);
#pragma omp task firstprivate(row, column) shared(values) depend(inout : values[row])
        {
#pragma omp task firstprivate(row, column) shared(values) depend(inout : values[row])
          {
            CHECK_EQ(values[row], column);
            values[row]++;
          }
        }
      }
  }
  for (int row = 0; row < kRows; row++) CHECK_EQ(values[row], kColumns);
  CHECK_EQ(list.count, 0);
  CHECK_EQ(list.handed, list.given);
  if (omp_get_max_threads() > 1) CHECK_EQ(list.handed, 2 * kRows * kColumns);
}

static void exporting(void) { transparent(bobbin_export); }
static void importing_too(void) { transparent(bobbin_impex); }

static void cancelled(void) {
  static List list;
  init_list(&list);
  int ran = 0;
#pragma omp parallel shared(list, ran)
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), 0);
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(ran)
      {
        __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
#pragma omp cancel taskgroup
      }
    }
  }
  CHECK_EQ(list.handed, list.given);
  CHECK(ran >= 1 && ran <= 100);
}

/* Schedulers within tasks of other schedulers, and several of different threads at once. */
static void several(void) {
  static List outer, inner[8];
  init_list(&outer);
  for (int i = 0; i < 8; i++) init_list(&inner[i]);
  int ran = 0;
#pragma omp parallel num_threads(4) shared(outer, inner, ran)
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &outer), 0);
    for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i) shared(inner, ran)
#pragma omp taskgroup
      {
        CHECK_EQ(bobbin_set_taskgroup_scheduler(i % 2 ? &kList : &kThieves, &inner[i]), 0);
        for (int k = 0; k < 50; k++) {
#pragma omp task shared(ran)
          __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
        }
      }
    }
  }
  CHECK_EQ(ran, 400);
  CHECK_EQ(outer.given, 8);
  for (int i = 0; i < 8; i++) CHECK_EQ(inner[i].given, 50);
}

/* --- Their order. */

enum { kTasks = 60 };

static void order(void) {
  static List list;
  init_list(&list);
  int arrived = 0, over = 0, ran[kTasks], count = 0;
#pragma omp parallel num_threads(2) shared(list, arrived, over, ran, count)
  if (omp_get_thread_num() == 1) {
    __atomic_store_n(&arrived, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) usleep(50);
  } else {
    while (!__atomic_load_n(&arrived, __ATOMIC_ACQUIRE)) usleep(50);
#pragma omp taskgroup
    {
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), 0);
      for (int i = 0; i < kTasks; i++) {
        bobbin_set_task_hint((unsigned)(i * 7 % kTasks) + 1);
#pragma omp task firstprivate(i) shared(ran, count)
        ran[count++] = i * 7 % kTasks;
      }
      CHECK_EQ(count, 0); /* all have been passed to the scheduler */
      CHECK_EQ(list.hints[0], 1);
#pragma omp task depend(in : arrived) depend(out : over) shared(count)
      count += 0;
      CHECK(list.data == &over && list.other_data == &arrived);
      CHECK_EQ(list.hints[0], 0); /* a hint applies to one task */
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  }
  CHECK_EQ(count, kTasks);
  for (int i = 0; i < kTasks; i++) CHECK_EQ(ran[i], kTasks - 1 - i);
}

/* A scheduler may hold tasks back while one of them runs. */
static void keeping_back(void) {
  static List list;
  init_list(&list);
  int ran = 0;
#pragma omp parallel num_threads(2) shared(list, ran)
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), 0);
#pragma omp task shared(ran, list)
    {
      __atomic_store_n(&list.closed, 1, __ATOMIC_RELEASE);
      for (int i = 0; i < 100; i++) sched_yield();
      __atomic_store_n(&list.closed, 0, __ATOMIC_RELEASE);
      __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
    }
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(ran)
      __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
    }
  }
  CHECK_EQ(ran, 11);
}

/* A thread in a tied task is given a task that it may not begin. The thread that executes that task
 * instead also counts as being in a task of the group: the last task is held back until then. */
typedef struct {
  List list;  /* tasks by their hints, less one */
  int waiter; /* the thread that has the first task */
  int second_over;
} Stages;

static bobbin_task next_stage(void* user, int thread) {
  Stages* stages = user;
  List* list = &stages->list;
  bobbin_task task = 0;
  pthread_mutex_lock(&list->lock);
  if (list->given == 0) {
    task = list->tasks[0];
    stages->waiter = thread;
  } else if (list->given == 1 && list->tasks[2] != 0 && thread == stages->waiter) {
    task = list->tasks[1];
  } else if (list->given == 2 && __atomic_load_n(&stages->second_over, __ATOMIC_ACQUIRE)) {
    task = list->tasks[2];
  }
  list->given += task != 0;
  pthread_mutex_unlock(&list->lock);
  return task;
}

static void ready_stage(void* user, int thread, bobbin_task task, const bobbin_task_facts* facts) {
  List* list = user;
  (void)thread;
  pthread_mutex_lock(&list->lock);
  list->tasks[facts->hint - 1] = task;
  pthread_mutex_unlock(&list->lock);
}

static const bobbin_scheduler kStages = {ready_stage, next_stage, NULL};

static void given_to_the_wrong_thread(void) {
  static Stages stages;
  memset(&stages, 0, sizeof stages);
  init_list(&stages.list);
  int ran = 0;
#pragma omp parallel num_threads(2) shared(stages, ran)
#pragma omp single
#pragma omp taskgroup
  {
    CHECK_EQ(bobbin_set_taskgroup_scheduler(&kStages, &stages), 0);
    bobbin_set_task_hint(2);
#pragma omp task shared(stages, ran)
    {
      __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
      __atomic_store_n(&stages.second_over, 1, __ATOMIC_RELEASE);
    }
    bobbin_set_task_hint(1);
#pragma omp task shared(ran)
    {
      bobbin_set_task_hint(3);
#pragma omp task shared(ran)
      __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
#pragma omp taskwait
      CHECK_EQ(ran, 2);
    }
  }
  CHECK_EQ(stages.list.given, 3);
}

/* An untied task may leave its thread where it waits, but not with a scheduler, which counts on
 * that thread. The thread of the last child would otherwise take the task along. */
static void owner_stays(void) {
  if (omp_get_max_threads() == 1) return;
  static List list;
  CHECK_EQ(bobbin_set_task_policy("creation=continuation"), 0);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel
#pragma omp single
#pragma omp task untied
    {
      int before = 0, begun = 0;
      init_list(&list);
#pragma omp taskgroup
      {
        before = omp_get_thread_num();
        CHECK_EQ(bobbin_set_taskgroup_scheduler(&kList, &list), 0);
#pragma omp task shared(begun)
        {
          __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
          for (volatile int turn = 0; turn < 100000; turn++) {
          }
        }
        while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) {
        }
      }
      CHECK_EQ(omp_get_thread_num(), before);
    }
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
}

/* Many threads still ask for tasks when the last task has ended, and the group's owner waits for
 * their answers. It must resume, even if the threads on all processors look for tasks at the
 * barrier. */
static bobbin_task next_lingering(void* user, int thread) {
  bobbin_task task = next(user, thread);
  for (volatile int turn = 0; task == 0 && turn < 20000; turn++) {
  }
  return task;
}

static const bobbin_scheduler kLingering = {ready, next_lingering, NULL};

static void ends_while_others_ask(void) {
  enum { kRounds = 100 };
  static List list;
  int ran = 0;
  for (int round = 0; round < kRounds; round++) {
    init_list(&list);
#pragma omp parallel shared(list, ran)
#pragma omp single
#pragma omp taskgroup
    {
      CHECK_EQ(bobbin_set_taskgroup_scheduler(&kLingering, &list), 0);
      for (int i = 0; i < 40; i++) {
#pragma omp task shared(ran)
        {
          for (volatile int turn = 0; turn < 2000; turn++) {
          }
          __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
        }
      }
    }
  }
  CHECK_EQ(ran, 40 * kRounds);
}

/* --- Broken schedulers, each in its own process. */

static bobbin_task next_nonsense(void* user, int thread) {
  (void)user, (void)thread;
  return 0x123456789;
}

/* Returns the first task again, while it has others. */
static bobbin_task next_twice(void* user, int thread) {
  static bobbin_task given; /* callbacks of one scheduler are called by several threads at once */
  (void)thread;
  bobbin_task task = __atomic_load_n(&given, __ATOMIC_RELAXED);
  if (task == 0) __atomic_store_n(&given, task = take(user), __ATOMIC_RELAXED);
  return task;
}

static const bobbin_scheduler kNonsense = {ready, next_nonsense, NULL};
static const bobbin_scheduler kTwice = {ready, next_twice, NULL};
static const bobbin_scheduler kLost = {ready, next_none, NULL};

/* The waiting task itself belongs to the group. */
static void lose_a_child(List* list) {
#pragma omp task shared(list)
  {
    __atomic_store_n(&list->closed, 1, __ATOMIC_RELEASE);
#pragma omp task
    usleep(1);
#pragma omp taskwait
  }
}

static void break_contract(const bobbin_scheduler* scheduler, int nested) {
  static List list;
  init_list(&list);
#pragma omp parallel num_threads(2) shared(list)
#pragma omp single
#pragma omp taskgroup
  {
    bobbin_set_taskgroup_scheduler(scheduler, &list);
    if (nested) {
      lose_a_child(&list);
    } else {
      for (int i = 0; i < 3; i++) {
#pragma omp task
        usleep(1);
      }
    }
  }
}

static void expect_end(const bobbin_scheduler* scheduler, int nested, const char* message) {
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    alarm(600);
    dup2(ends[1], 2);
    break_contract(scheduler, nested);
    _exit(0);
  }
  close(ends[1]);
  char text[1024];
  size_t length = 0;
  ssize_t more;
  while (length < sizeof text - 1 &&
         (more = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
    length += (size_t)more;
  text[length] = '\0';
  close(ends[0]);
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || strstr(text, message) == NULL) {
    fprintf(stderr, "the child's status is %#x, its last words:\n", (unsigned)status);
    check_report(__FILE__, __LINE__, text);
  }
}

/* Two threads, however many the program has. Lost tasks are told of after a second. */
static void broken(void) {
  if (omp_get_max_threads() != 3) return;
  expect_end(&kNonsense, 0, "next of a taskgroup's scheduler returned 123456789");
  expect_end(&kTwice, 0, "which is no task that it has to give");
  expect_end(&kLost, 0, "a taskgroup's scheduler has 3 tasks and nothing else is running");
  expect_end(&kList, 1, "a taskgroup's scheduler has 1 tasks and nothing else is running");
}

int main(void) {
  CHECK_BEGIN();
  if (!bobbin_set_taskgroup_scheduler) {
    fprintf(stderr, "not on Bobbin: there is nothing to test\n");
    return 1;
  }
  RUN(broken);
  RUN(refusals);
  RUN(recursion);
  RUN(dependences);
  RUN(exporting);
  RUN(importing_too);
  RUN(cancelled);
  RUN(several);
  RUN(order);
  RUN(keeping_back);
  RUN(given_to_the_wrong_thread);
  RUN(owner_stays);
  RUN(ends_while_others_ask);
  return check_end();
}
