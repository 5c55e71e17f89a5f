/* SPDX-License-Identifier: Apache-2.0
 * A client of ALPI 1.2, which finds the runtime by the dynamic linker, as task-aware libraries do.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "check.h"

enum { kSuccess, kVersion, kNotInitialised, kParameter, kMemory, kOutsideTask, kUnknown, kFeature };
enum { kTasks = 200 };

typedef struct alpi_task Task;

static const char* (*error_string)(int);
static int (*info_get)(int, char*, size_t, int*);
static int (*feature_check)(int);
static int (*version_check)(int, int);
static int (*version_get)(int*, int*);
static int (*task_self)(Task**);
static int (*task_block)(Task*);
static int (*task_unblock)(Task*);
static int (*waitfor_ns)(uint64_t, uint64_t*);
static int (*events_increase)(Task*, uint64_t);
static int (*events_decrease)(Task*, uint64_t);
static int (*events_test)(Task*, uint64_t*);
static int (*attr_create)(void**);
static int (*attr_destroy)(void*);
static int (*attr_init)(void*);
static int (*attr_size)(uint64_t*);
static int (*spawn)(void (*)(void*), void*, void (*)(void*), void*, const char*, const void*);
static int (*cpu_count)(uint64_t*);
static int (*cpu_logical_id)(uint64_t*);
static int (*cpu_system_id)(uint64_t*);
static int (*suspend_mode_set)(Task*, int, uint64_t);
static int (*suspend)(Task*);

static int find_all(void) {
  const struct {
    void* function;
    const char* name;
  } wanted[] = {
      {&error_string, "alpi_error_string"},
      {&info_get, "alpi_info_get"},
      {&feature_check, "alpi_feature_check"},
      {&version_check, "alpi_version_check"},
      {&version_get, "alpi_version_get"},
      {&task_self, "alpi_task_self"},
      {&task_block, "alpi_task_block"},
      {&task_unblock, "alpi_task_unblock"},
      {&waitfor_ns, "alpi_task_waitfor_ns"},
      {&events_increase, "alpi_task_events_increase"},
      {&events_decrease, "alpi_task_events_decrease"},
      {&events_test, "alpi_task_events_test"},
      {&attr_create, "alpi_attr_create"},
      {&attr_destroy, "alpi_attr_destroy"},
      {&attr_init, "alpi_attr_init"},
      {&attr_size, "alpi_attr_size"},
      {&spawn, "alpi_task_spawn"},
      {&cpu_count, "alpi_cpu_count"},
      {&cpu_logical_id, "alpi_cpu_logical_id"},
      {&cpu_system_id, "alpi_cpu_system_id"},
      {&suspend_mode_set, "alpi_task_suspend_mode_set"},
      {&suspend, "alpi_task_suspend"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    void* found = dlsym(RTLD_DEFAULT, wanted[i].name);
    if (found == NULL) {
      fprintf(stderr, "not found: %s\n", wanted[i].name);
      return 0;
    }
    memcpy(wanted[i].function, &found, sizeof found);
  }
  return 1;
}

static Task* self_handle(void) {
  Task* task = NULL;
  CHECK_EQ(task_self(&task), kSuccess);
  CHECK(task != NULL);
  return task;
}

static void versions(void) {
  int major = 0, minor = 0, length = 0;
  char text[8];
  CHECK_EQ(version_get(&major, &minor), kSuccess);
  CHECK(major == 1 && minor == 2);
  CHECK_EQ(version_get(NULL, &minor), kParameter);
  CHECK_EQ(version_check(1, 0), kSuccess);
  CHECK_EQ(version_check(1, 3), kVersion);
  CHECK_EQ(version_check(2, 0), kVersion);
  CHECK_EQ(feature_check(15), kSuccess);
  CHECK_EQ(feature_check(16), kFeature);
  CHECK_EQ(info_get(0, text, sizeof text, &length), kSuccess);
  CHECK(strcmp(text, "Bobbin") == 0 && length == 6);
  CHECK_EQ(info_get(2, text, sizeof text, &length), kSuccess);
  CHECK(strcmp(text, "Bobbin ") == 0 && length == 7);
  CHECK_EQ(info_get(3, text, sizeof text, NULL), kParameter);
  CHECK_EQ(info_get(0, NULL, 8, NULL), kParameter);
  for (int error = kSuccess; error <= kFeature; error++) CHECK(*error_string(error) != '\0');
  CHECK(strcmp(error_string(99), "Error code not recognized") == 0);
}

static void attributes(void) {
  void* attr = NULL;
  uint64_t size = 0;
  CHECK_EQ(attr_create(&attr), kSuccess);
  CHECK_EQ(attr_init(attr), kSuccess);
  CHECK_EQ(attr_destroy(attr), kSuccess);
  CHECK_EQ(attr_size(&size), kSuccess);
  CHECK(size > 0);
  CHECK_EQ(attr_create(NULL), kParameter);
  CHECK_EQ(attr_init(NULL), kParameter);
  CHECK_EQ(attr_destroy(NULL), kParameter);
  CHECK_EQ(attr_size(NULL), kParameter);
}

static void processors(void) {
  uint64_t count = 0, id = ~UINT64_C(0);
  CHECK_EQ(cpu_count(&count), kSuccess);
  CHECK(count > 0);
  PRAGMA(omp parallel firstprivate(id)) {
    CHECK_EQ(cpu_logical_id(&id), kSuccess);
    CHECK(id < count);
    CHECK_EQ(cpu_system_id(&id), kSuccess);
  }
  CHECK_EQ(cpu_count(NULL), kParameter);
  CHECK_EQ(cpu_logical_id(NULL), kParameter);
}

/* --- A poller, as task-aware libraries have one: a spawned task that serves what others ask. */

static Task* asked[2 * kTasks];
static int asked_count, poller_ends, poller_ended;

static void ask(Task* task) {
  const int place = __atomic_fetch_add(&asked_count, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&asked[place], task, __ATOMIC_RELEASE);
}

static void note_end(void* flag) { store((int*)flag, 1); }

static void poll_body(void* argument) {
  union {
    void* data;
    void (*function)(Task*);
  } serve = {argument};
  uint64_t waited = 0;
  for (int served = 0; !load(&poller_ends) || served < load(&asked_count);) {
    Task* task =
        served < load(&asked_count) ? __atomic_load_n(&asked[served], __ATOMIC_ACQUIRE) : NULL;
    if (task != NULL) {
      serve.function(task);
      served++;
    } else {
      CHECK_EQ(waitfor_ns(50000, &waited), kSuccess);
      CHECK(waited >= 50000);
    }
  }
}

static void start_poller(void (*serve)(Task*)) {
  memset(asked, 0, sizeof asked);
  store(&asked_count, 0);
  store(&poller_ends, 0);
  store(&poller_ended, 0);
  union {
    void (*function)(Task*);
    void* data;
  } given = {serve};
  CHECK_EQ(spawn(poll_body, given.data, note_end, &poller_ended, "poller", NULL), kSuccess);
}

static void end_poller(void) {
  uint64_t waited;
  store(&poller_ends, 1);
  while (!load(&poller_ended)) CHECK_EQ(waitfor_ns(1000, &waited), kSuccess);
}

static void unblock_it(Task* task) { CHECK_EQ(task_unblock(task), kSuccess); }
static void end_an_event(Task* task) { CHECK_EQ(events_decrease(task, 1), kSuccess); }

/* More tasks than threads. All of them have blocked before the poller begins to serve. */
static void serve_when_all_wait(Task* task) {
  while (load(&asked_count) < kTasks) CHECK_EQ(waitfor_ns(10000, NULL), kSuccess);
  unblock_it(task);
}

static void tasks_that_block(void) {
  int ended = 0;
  start_poller(serve_when_all_wait);
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < kTasks; i++) {
    PRAGMA(omp task shared(ended)) {
      Task* task = self_handle();
      ask(task);
      CHECK_EQ(task_block(task), kSuccess);
      add_one(&ended);
    }
  }
  CHECK_EQ(ended, kTasks);
  end_poller();
}

static void unblocked_before(void) {
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < kTasks; i++) {
    PRAGMA(omp task) for (int round = 0; round < 3; round++) {
      Task* task = self_handle();
      CHECK_EQ(task_unblock(task), kSuccess);
      CHECK_EQ(task_block(task), kSuccess);
    }
  }
}

static void initial_task_blocks(void) {
  start_poller(unblock_it);
  ask(self_handle());
  CHECK_EQ(task_block(self_handle()), kSuccess);
  end_poller();
}

/* --- Events: a task is complete when its block has ended and they are fulfilled. */

static int fulfilled[kTasks];
static Task* owner[kTasks];

static void fulfil_and_note(Task* task) {
  for (int i = 0; i < kTasks; i++) {
    if (__atomic_load_n(&owner[i], __ATOMIC_ACQUIRE) != task) continue;
    __atomic_store_n(&owner[i], NULL, __ATOMIC_RELAXED); /* another task may get its memory */
    store(&fulfilled[i], 1);
    break;
  }
  end_an_event(task);
}

static void events_hold_dependences(void) {
  int ended = 0;
  memset(fulfilled, 0, sizeof fulfilled);
  memset(owner, 0, sizeof owner);
  start_poller(fulfil_and_note);
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < kTasks; i++) {
    PRAGMA(omp task firstprivate(i) depend(out : fulfilled[i])) {
      Task* task = self_handle();
      uint64_t has = 9;
      CHECK_EQ(events_test(task, &has), kSuccess);
      CHECK_EQ(has, 0);
      CHECK_EQ(events_increase(task, 0), kSuccess);
      CHECK_EQ(events_increase(task, 2), kSuccess);
      CHECK_EQ(events_test(task, &has), kSuccess);
      CHECK_EQ(has, 1);
      end_an_event(task);
      __atomic_store_n(&owner[i], task, __ATOMIC_RELEASE);
      ask(task);
    }
    PRAGMA(omp task firstprivate(i) shared(ended) depend(in : fulfilled[i])) {
      CHECK_EQ(load(&fulfilled[i]), 1);
      add_one(&ended);
    }
  }
  CHECK_EQ(ended, kTasks);
  end_poller();
}

/* All are fulfilled before the block ends, and then further ones are added. */
static void events_come_and_go(void) {
  int ended = 0;
  PRAGMA(omp parallel) PRAGMA(omp single) {
    for (int i = 0; i < kTasks; i++) {
      PRAGMA(omp task shared(ended)) {
        Task* task = self_handle();
        uint64_t has = 9;
        for (int round = 1; round <= 3; round++) {
          CHECK_EQ(events_increase(task, (uint64_t)round), kSuccess);
          CHECK_EQ(events_decrease(task, (uint64_t)round), kSuccess);
        }
        CHECK_EQ(events_test(task, &has), kSuccess);
        CHECK_EQ(has, 0);
        add_one(&ended);
      }
    }
    PRAGMA(omp taskwait)
    CHECK_EQ(ended, kTasks);
  }
}

static void events_and_taskwait(void) {
  start_poller(end_an_event);
  PRAGMA(omp parallel) PRAGMA(omp single) {
    PRAGMA(omp taskgroup) for (int i = 0; i < kTasks; i++) {
      PRAGMA(omp task) {
        CHECK_EQ(events_increase(self_handle(), 1), kSuccess);
        ask(self_handle());
      }
    }
    CHECK_EQ(load(&asked_count), kTasks);
  }
  end_poller();
}

/* --- Tasks that sleep: others run meanwhile. */

static void sleeping_tasks(void) {
  enum { kNs = 20000000 };
  int ended = 0;
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < 100; i++) {
    PRAGMA(omp task shared(ended) firstprivate(i)) {
      uint64_t waited = 0;
      CHECK_EQ(waitfor_ns((uint64_t)(kNs - 100000 * i), &waited), kSuccess);
      CHECK(waited >= (uint64_t)(kNs - 100000 * i));
      add_one(&ended);
    }
  }
  CHECK_EQ(ended, 100);
  CHECK_EQ(waitfor_ns(1000, NULL), kSuccess);
}

/* --- Suspension: the body of a spawned task is executed once more. */

static int bodies, suspended_ended, waits_for_unblock;
static Task* suspended_task;

static void suspended_body(void* unused) {
  (void)unused;
  Task* task = self_handle();
  uint64_t has = 9;
  const int turn = load(&bodies);
  add_one(&bodies);
  switch (turn) {
    case 0:
      CHECK_EQ(suspend_mode_set(task, 1, 1), kSuccess); /* at once */
      break;
    case 1:
      CHECK_EQ(suspend_mode_set(task, 2, 1000000), kSuccess); /* after this time */
      break;
    case 2:
      CHECK_EQ(suspend_mode_set(task, 3, 0), kSuccess); /* when there are no events */
      CHECK_EQ(events_increase(task, 1), kSuccess);
      __atomic_store_n(&suspended_task, task, __ATOMIC_RELEASE);
      break;
    case 3:
      CHECK_EQ(events_test(task, &has), kSuccess);
      CHECK_EQ(has, 0);
      CHECK_EQ(suspend_mode_set(task, 0, 0), kSuccess); /* when it is unblocked */
      store(&waits_for_unblock, 1);
      break;
    default:
      CHECK_EQ(suspend_mode_set(task, 9, 0), kParameter);
      return;
  }
  CHECK_EQ(suspend(task), kSuccess);
}

static void suspension(void) {
  Task* task;
  store(&bodies, 0);
  store(&suspended_ended, 0);
  store(&waits_for_unblock, 0);
  suspended_task = NULL;
  CHECK_EQ(spawn(suspended_body, NULL, note_end, &suspended_ended, NULL, NULL), kSuccess);
  while ((task = __atomic_load_n(&suspended_task, __ATOMIC_ACQUIRE)) == NULL) sched_yield();
  CHECK_EQ(load(&bodies), 3);
  CHECK_EQ(events_decrease(task, 1), kSuccess);
  spin_until(&waits_for_unblock);
  CHECK_EQ(load(&suspended_ended), 0);
  CHECK_EQ(task_unblock(task), kSuccess);
  spin_until(&suspended_ended);
  CHECK_EQ(load(&bodies), 5);
}

/* A region in a spawned task. */
static void region_body(void* sum) {
  int local = 0;
  PRAGMA(omp parallel num_threads(3) reduction(+ : local)) local += omp_get_num_threads();
  *(int*)sum = local;
}

static void region_in_spawned(void) {
  int sum = 0, ended = 0;
  CHECK_EQ(spawn(region_body, &sum, note_end, &ended, NULL, NULL), kSuccess);
  spin_until(&ended);
  CHECK_EQ(sum, 9);
}

/* --- What is refused. */

/* clang's code for CHECK makes the calling thread known to OpenMP, so that this thread only notes.
 */
static int outside[5];
static Task* outside_self = (Task*)outside;

static void* ask_outside(void* task) {
  uint64_t id;
  outside[0] = task_self(&outside_self);
  outside[1] = task_block((Task*)task);
  outside[2] = waitfor_ns(1, NULL);
  outside[3] = events_increase((Task*)task, 1);
  outside[4] = cpu_logical_id(&id);
  return NULL;
}

static void refusals(void) {
  pthread_t other;
  uint64_t has;
  CHECK_EQ(task_self(NULL), kParameter);
  CHECK_EQ(task_block(NULL), kParameter);
  CHECK_EQ(task_unblock(NULL), kParameter);
  CHECK_EQ(events_decrease(NULL, 1), kParameter);
  CHECK_EQ(spawn(NULL, NULL, note_end, NULL, NULL, NULL), kParameter);
  CHECK_EQ(events_increase(self_handle(), 1), kOutsideTask); /* the initial task never ends */
  CHECK_EQ(suspend(self_handle()), kOutsideTask);
  PRAGMA(omp parallel) PRAGMA(omp single) {
    CHECK_EQ(events_increase(self_handle(), 1), kOutsideTask);
    omp_event_handle_t event;
    PRAGMA(omp task detach(event)) {
      CHECK_EQ(events_increase(self_handle(), 1), kParameter);
      CHECK_EQ(events_test(self_handle(), NULL), kParameter);
      omp_fulfill_event(event);
    }
    Task* outer = self_handle();
    PRAGMA(omp task firstprivate(outer) private(has)) {
      CHECK_EQ(events_increase(outer, 1), kParameter);
      CHECK_EQ(events_test(outer, &has), kParameter);
      CHECK_EQ(events_increase(self_handle(), UINT64_C(1) << 40), kParameter);
      CHECK_EQ(events_decrease(self_handle(), 1), kParameter); /* it has none */
      CHECK_EQ(suspend(self_handle()), kOutsideTask);
      CHECK_EQ(suspend_mode_set(self_handle(), 0, 0), kOutsideTask);
    }
  }
  CHECK_EQ(pthread_create(&other, NULL, ask_outside, outside), 0);
  pthread_join(other, NULL);
  CHECK_EQ(outside[0], kSuccess);
  CHECK(outside_self == NULL);
  for (int i = 1; i < 5; i++) CHECK_EQ(outside[i], kOutsideTask);
}

int main(void) {
  CHECK_BEGIN();
  if (!find_all()) return 1;
  RUN(versions);
  RUN(attributes);
  RUN(processors);
  for (int round = 0; round < 3; round++) {
    RUN(unblocked_before);
    RUN(initial_task_blocks);
    RUN(suspension);
    RUN(region_in_spawned);
    RUN(refusals);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    /* Where stacks cannot be exchanged, a task that blocks holds its thread, and tasks may be
       undeferred, which have no events. */
    RUN(events_hold_dependences);
    RUN(events_come_and_go);
    RUN(events_and_taskwait);
    RUN(tasks_that_block);
    RUN(sleeping_tasks);
#endif
  }
  return check_end();
}
