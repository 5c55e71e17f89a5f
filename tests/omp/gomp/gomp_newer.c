/* SPDX-License-Identifier: Apache-2.0
 * Calls that compilers newer than GCC 12 emit, made by hand: dependences of kind inoutset and on
 * all memory, taskwait depend nowait, and the routines of version OMP_5.1.1 and OMP_5.2. Also what
 * GCC 17's code tells about barriers, reductions and loops that it distributes itself, and the
 * routines of OMP_6.1. The entry points are looked up, so that this also links with an older
 * library. There it checks nothing. */
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

/* The wide form: a zero, the total count, the counts of out, mutexinoutset and in, then the
 * addresses. The rest are dependence objects, by which inoutset is passed. */
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

/* An empty task that connects one dependence to another without waiting. */
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

typedef int (*OfOne)(int);
typedef int (*OfTwo)(int, int);
typedef void (*Barrier)(int kind);
typedef bool (*CancelBarrier)(int kind);
typedef void (*Plain)(void);
typedef bool (*Start)(void);
typedef bool (*Masked)(int filter);
typedef __complex__ int (*Place)(Ull iterations);
typedef void (*Part)(Ull first, Ull count);

/* The compiler distributes a loop with schedule(static), with and without telling about its
 * parts. */
static void static_loop(void) {
  Place place[] = {(Place)look_up("GOMP_loop_static_worksharing"),
                   (Place)look_up("GOMP_loop_static_worksharing_start")};
  Part part = (Part)look_up("GOMP_loop_static_worksharing_dispatch");
  Plain end = (Plain)look_up("GOMP_loop_static_worksharing_end");
  Barrier barrier = (Barrier)look_up("GOMP_barrier_ext");
  if (!place[0] || !place[1] || !part || !end || !barrier) return;
  enum { kIterations = 1000 };
  static int done[kIterations];
  for (int told = 0; told < 2; told++) {
    memset(done, 0, sizeof done);
#pragma omp parallel
    {
      __complex__ int here = place[told](kIterations);
      CHECK_EQ(__real__ here, omp_get_num_threads());
      CHECK_EQ(__imag__ here, omp_get_thread_num());
      int share = (kIterations + __real__ here - 1) / __real__ here;
      int first = share * __imag__ here;
      if (told) part((Ull)first, (Ull)share);
      for (int i = first; i < first + share && i < kIterations; i++) done[i]++;
      if (told) end();
      barrier(1);
      int sum = 0;
      for (int i = 0; i < kIterations; i++) sum += done[i];
      CHECK_EQ(sum, kIterations);
      barrier(2);
    }
  }
  CHECK_EQ(__real__ place[0](1), 1);
  CHECK_EQ(__imag__ place[0](1), 0);
}

static void distributed_loop(void) {
  Place place[] = {(Place)look_up("GOMP_distribute_static_worksharing"),
                   (Place)look_up("GOMP_distribute_static_worksharing_start")};
  Part part = (Part)look_up("GOMP_distribute_static_worksharing_dispatch");
  Plain end = (Plain)look_up("GOMP_distribute_static_worksharing_end");
  if (!place[0] || !place[1] || !part || !end) return;
  static int met;
  met = 0;
#pragma omp teams num_teams(3)
  for (int told = 0; told < 2; told++) {
    __complex__ int here = place[told](30);
    CHECK_EQ(__real__ here, omp_get_num_teams());
    CHECK_EQ(__imag__ here, omp_get_team_num());
    part(0, 10);
    end();
    __atomic_fetch_or(&met, 1 << omp_get_team_num(), __ATOMIC_RELAXED);
  }
  CHECK_EQ(met, 7);
}

static void masked_and_single(void) {
  Masked masked[] = {(Masked)look_up("GOMP_has_masked_thread_num"),
                     (Masked)look_up("GOMP_has_masked_thread_num_with_end")};
  Start single = (Start)look_up("GOMP_single_start_with_end");
  Plain ends[] = {(Plain)look_up("GOMP_masked_end"), (Plain)look_up("GOMP_single_end"),
                  (Plain)look_up("GOMP_scope_end")};
  void (*scope)(void*) = (void (*)(void*))look_up("GOMP_scope_start_with_end");
  Barrier barrier = (Barrier)look_up("GOMP_barrier_ext");
  if (!masked[0] || !masked[1] || !single || !ends[0] || !ends[1] || !ends[2] || !scope || !barrier)
    return;
  static int singles, last;
  singles = last = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = -1; i <= all; i++) CHECK_EQ(masked[i & 1](i), i == me);
    if (masked[1](all - 1)) {
      last = me + 1;
      ends[0]();
    }
    for (int round = 0; round < 20; round++) {
      scope(NULL);
      if (single()) {
        add_one(&singles);
        ends[1]();
      }
      ends[2]();
      barrier(1);
      CHECK_EQ(load(&singles), round + 1);
      barrier(2);
    }
    CHECK_EQ(load(&last), all);
  }
}

static void reduction(void) {
  Plain start = (Plain)look_up("GOMP_reduction_start"), end = (Plain)look_up("GOMP_reduction_end");
  if (!start || !end) return;
  static int sum;
  sum = 0;
#pragma omp parallel
  for (int i = 0; i < 100; i++) {
    start();
    sum++;
    end();
  }
#pragma omp parallel
#pragma omp single
  CHECK_EQ(sum, 100 * omp_get_num_threads());
}

static void cancelled(void) {
  CancelBarrier barrier = (CancelBarrier)look_up("GOMP_barrier_cancel_ext");
  if (!barrier) return;
  int possible = omp_get_cancellation();
#pragma omp parallel
  CHECK(!barrier(2));
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
    CHECK_EQ(barrier(2), possible);
  }
}

static void dimensions(void) {
  OfOne threads = (OfOne)look_up("omp_get_num_threads_dim");
  OfOne thread = (OfOne)look_up("omp_get_thread_num_dim");
  OfOne limit = (OfOne)look_up("omp_get_thread_limit_dim");
  OfOne teams = (OfOne)look_up("omp_get_num_teams_dim");
  OfOne team = (OfOne)look_up("omp_get_team_num_dim");
  OfTwo in_team = (OfTwo)look_up("omp_get_supported_active_team_dims");
  OfTwo in_league = (OfTwo)look_up("omp_get_supported_active_league_dims");
  OfTwo most_threads = (OfTwo)look_up("omp_get_supported_threads_dim");
  OfTwo most_teams = (OfTwo)look_up("omp_get_supported_teams_dim");
  void (*distances)(int, const int*, int*) =
      (void (*)(int, const int*, int*))look_up("omp_get_device_distances");
  if (!threads || !thread || !limit || !teams || !team || !distances) return;
#pragma omp parallel
  {
    CHECK_EQ(threads(0), omp_get_num_threads());
    CHECK_EQ(thread(0), omp_get_thread_num());
    CHECK_EQ(limit(0), omp_get_thread_limit());
    CHECK(threads(1) == 1 && thread(1) == 0 && limit(1) == 1);
  }
#pragma omp teams num_teams(2)
  {
    CHECK_EQ(teams(0), omp_get_num_teams());
    CHECK_EQ(team(0), omp_get_team_num());
    CHECK(teams(1) == 1 && team(2) == 0);
  }
  int host = omp_get_initial_device(), devices[] = {host, -1, 1000}, far[] = {7, 7, 7};
  CHECK(in_team(host, 1) == 1 && in_league(host, 1) == 1);
  CHECK(most_threads(host, 0) > 1 && most_threads(host, 1) == 1);
  CHECK(most_teams(host, 0) > 1 && most_teams(host, 1) == 1);
  distances(3, devices, far);
  CHECK(far[0] == 0 && far[1] == 0 && far[2] == -1);
}

int main(void) {
  CHECK_BEGIN();
  if (!on_bobbin()) return 0;
  RUN(inoutset);
  RUN(all_memory);
  RUN(taskwait_nowait);
  RUN(explicit_task);
  RUN(device_routines);
  RUN(static_loop);
  RUN(distributed_loop);
  RUN(masked_and_single);
  RUN(reduction);
  RUN(cancelled);
  RUN(dimensions);
  return check_end();
}
