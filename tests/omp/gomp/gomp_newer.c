/* SPDX-License-Identifier: Apache-2.0
 * What compilers newer than GCC 12 emit, called by hand: dependences of kind inoutset and on all
 * memory, taskwait depend nowait, and the routines of version OMP_5.1.1 and OMP_5.2. The entry
 * points are looked up, so that this also links with an older library; there it checks nothing. */
#include <dlfcn.h>
#include <sched.h>

#include "check.h"
#include "gomp_direct.h"

enum { kFlagUntied = 1, kFlagDepend = 8 };
enum DependKind { kIn = 1, kOut = 2, kInout = 3, kMutexinoutset = 4, kInoutset = 5 };

typedef struct {
  void* address;
  void* kind;
} Depobj;

static int value, readers, log_count, log_kinds[400];

static void* look_up(const char* name) {
  void* entry = dlsym(RTLD_DEFAULT, name);
  if (on_bobbin() && entry == NULL) {
    fprintf(stderr, "no %s\n", name);
    CHECK(0);
  }
  return entry;
}

static void log_kind(void* data) {
  int kind = *(int*)data;
  if (kind == kInoutset) {
    add_one(&readers);
    sched_yield();
  } else {
    log_kinds[log_count++] = load(&readers);
  }
}

static void make(int kind, void** depend) {
  GOMP_task(log_kind, &kind, NULL, sizeof kind, sizeof kind, true, kFlagDepend, depend, 0, NULL);
}

/* The wide form: a zero, all, how many out, mutexinoutset and in, then the addresses; the rest are
 * dependence objects, which is how inoutset is passed. */
static void inoutset(void) {
  readers = log_count = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) {
    void* out[] = {(void*)1, (void*)1, &value};
    make(kOut, out);
    for (int i = 0; i < 5; i++) {
      Depobj set = {&value, (void*)kInoutset};
      void* wide[] = {0, (void*)1, (void*)0, (void*)0, (void*)0, &set};
      make(kInoutset, wide);
    }
    void* in[] = {(void*)1, (void*)0, &value};
    make(kIn, in);
  }
  CHECK_EQ(log_count, 20);
  for (int i = 0; i < 20; i++) CHECK_EQ(log_kinds[i], (i + 1) / 2 * 5);
}

static int first_done[20], all_seen;

static void mark(void* data) { store(&first_done[*(int*)data], 1); }

static void see_all(void* data) {
  int count = *(int*)data;
  for (int i = 0; i < count; i++) CHECK(load(&first_done[i]));
  add_one(&all_seen);
}

static void after_all(void* data) { CHECK_EQ(load(&all_seen), *(int*)data); }

/* A null address in the out part stands for all memory: after everything, before everything. */
static void all_memory(void) {
  static int cells[20];
  all_seen = 0;
  memset(first_done, 0, sizeof first_done);
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 5; round++) {
    memset(first_done, 0, sizeof first_done);
    for (int i = 0; i < 20; i++) {
      void* depend[] = {(void*)1, (void*)(size_t)(i % 2), &cells[i]};
      GOMP_task(mark, &i, NULL, sizeof i, sizeof i, true, kFlagDepend, depend, 0, NULL);
    }
    int count = 20;
    void* all[] = {(void*)1, (void*)1, NULL};
    GOMP_task(see_all, &count, NULL, sizeof count, sizeof count, true, kFlagDepend, all, 0, NULL);
    for (int i = 0; i < 20; i++) {
      void* depend[] = {(void*)1, (void*)0, &cells[i]};
      GOMP_task(after_all, &round, NULL, sizeof round, sizeof round, true, kFlagDepend, depend, 0,
                NULL);
    }
    GOMP_taskwait();
  }
  CHECK_EQ(all_seen, 5);
}

static int order_first, order_second;

static void set_first(void* data) {
  (void)data;
  sched_yield();
  store(&order_first, 1);
}

static void see_first(void* data) {
  (void)data;
  CHECK(load(&order_first));
  store(&order_second, 1);
}

/* An empty task that joins one dependence to another without waiting. */
static void taskwait_nowait(void) {
  void (*wait)(void**) = (void (*)(void**))look_up("GOMP_taskwait_depend_nowait");
  if (wait == NULL) return;
  static int a, b;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) {
    order_first = order_second = 0;
    void* out_a[] = {(void*)1, (void*)1, &a};
    GOMP_task(set_first, NULL, NULL, 0, 1, true, kFlagDepend, out_a, 0, NULL);
    void* join[] = {(void*)2, (void*)1, &b, &a};
    wait(join);
    void* in_b[] = {(void*)1, (void*)0, &b};
    GOMP_task(see_first, NULL, NULL, 0, 1, true, kFlagDepend, in_b, 0, NULL);
    GOMP_taskwait();
    CHECK(order_second);
  }
}

static void explicit_task(void) {
  int (*inside)(void) = (int (*)(void))look_up("omp_in_explicit_task");
  if (inside == NULL) return;
  CHECK(!inside());
#pragma omp parallel
  {
    CHECK(!inside());
#pragma omp task
    {
      CHECK(inside());
#pragma omp task if (0)
      CHECK(inside());
#pragma omp parallel num_threads(1)
      CHECK(!inside());
    }
#pragma omp taskwait
    CHECK(!inside());
  }
}

static void device_routines(void) {
  void* (*mapped)(const void*, int) = (void* (*)(const void*, int))look_up("omp_get_mapped_ptr");
  int (*accessible)(const void*, size_t, int) =
      (int (*)(const void*, size_t, int))look_up("omp_target_is_accessible");
  int (*copy)(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*) =
      (int (*)(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*))look_up(
          "omp_target_memcpy_async");
  int (*copy_rect)(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
                   const size_t*, const size_t*, int, int, int, omp_depend_t*) =
      (int (*)(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
               const size_t*, const size_t*, int, int, int,
               omp_depend_t*))look_up("omp_target_memcpy_rect_async");
  if (!mapped || !accessible || !copy || !copy_rect) return;
  int host = omp_get_initial_device(), from[12], to[12] = {0};
  for (int i = 0; i < 12; i++) from[i] = i + 1;
  CHECK(mapped(from, host) == from);
  CHECK(accessible(from, sizeof from, host));
#pragma omp parallel
#pragma omp single
  {
    CHECK_EQ(copy(to, from, sizeof from, 0, 0, host, host, 0, NULL), 0);
#pragma omp taskwait
    CHECK_EQ(memcmp(to, from, sizeof from), 0);
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : to)
    for (int round = 0; round < 5; round++) {
#pragma omp task depend(inout : to) shared(to, from) firstprivate(round)
      from[0] = 100 + round;
      CHECK_EQ(copy(to, from, sizeof(int), 0, 0, host, host, 1, &object), 0);
#pragma omp task depend(inout : to) shared(to) firstprivate(round)
      CHECK_EQ(to[0], 100 + round);
    }
#pragma omp taskwait
#pragma omp depobj(object) destroy
    size_t volume[2] = {2, 2}, zero[2] = {0, 0}, dims[2] = {3, 4};
    memset(to, 0, sizeof to);
    CHECK_EQ(
        copy_rect(to, from, sizeof(int), 2, volume, zero, zero, dims, dims, host, host, 0, NULL),
        0);
#pragma omp taskwait
    CHECK(to[1] == 2 && to[2] == 0 && to[4] == 5 && to[5] == 6 && to[8] == 0);
  }
}

int main(void) {
  CHECK_BEGIN();
  if (!on_bobbin()) return 0;
  RUN(inoutset);
  RUN(all_memory);
  RUN(taskwait_nowait);
  RUN(explicit_task);
  RUN(device_routines);
  return check_end();
}
