// SPDX-License-Identifier: Apache-2.0
// Cancelled tasks with objects as private copies. Clang's code destroys the objects and does not
// execute the rest of the task. GCC's code destroys them at the end of the structured block, so a
// task that has them is executed nevertheless.
#include <vector>

#include "check.h"

#ifdef __clang__
constexpr bool kDiscards = true;
#else
constexpr bool kDiscards = false;
#endif

static int alive;

// When everything has ended, their number is the same as before.
struct Object {
  std::vector<int> values = std::vector<int>(20, 1);
  Object() { add_one(&alive); }
  Object(const Object& other) : values(other.values) { add_one(&alive); }
  Object& operator=(const Object&) = default;
  ~Object() { __atomic_sub_fetch(&alive, 1, __ATOMIC_ACQ_REL); }
};

// Their events are fulfilled by the tasks themselves, which is never, or later.
static void detachable() {
  enum { kTasks = 10 };
  omp_event_handle_t later[kTasks];
  int ran = 0, chain = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    const Object object;
#pragma omp task depend(out : chain)
    {
#pragma omp cancel taskgroup
    }
    for (int i = 0; i < kTasks; i++) {
      omp_event_handle_t own, other;
#pragma omp task detach(own) depend(inout : chain) firstprivate(object) shared(ran)
      {
        __atomic_add_fetch(&ran, object.values[3], __ATOMIC_RELAXED);
        omp_fulfill_event(own);
      }
#pragma omp task detach(other) depend(inout : chain) firstprivate(object) shared(ran)
      __atomic_add_fetch(&ran, object.values[3], __ATOMIC_RELAXED);
      later[i] = other;
      if (!kDiscards) omp_fulfill_event(other);
    }
  }
  if (kDiscards) {
    for (omp_event_handle_t event : later) omp_fulfill_event(event);
    CHECK_EQ(ran, 0);
  }
  CHECK_EQ(alive, 0);
}

static void detachable_in_region() {
  int ran = 0, chain = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    {
      const Object object;
#pragma omp task depend(out : chain)
      {
      }
      for (int i = 0; i < 10; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : chain) firstprivate(object) shared(ran)
        {
          add_one(&ran);
          omp_fulfill_event(event);
        }
      }
    }
#pragma omp cancel parallel
  }
  CHECK(ran <= 10);
  CHECK_EQ(alive, 0);
}

// No task of a loop begins once the tasks are cancelled. Tasks that have begun before wait for the
// cancellation.
static void taskloop() {
  int cancelled = 0, late = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
#pragma omp task shared(cancelled, late)
  {
    const bool alone = omp_get_num_threads() == 1;
    const Object object;
#pragma omp taskloop nogroup grainsize(1) firstprivate(object) shared(cancelled, late)
    for (int i = 0; i < 16; i++) {
      if (load(&cancelled)) add_one(&late);
      if (!alone) spin_until(&cancelled);
      CHECK_EQ(object.values[3], 1);
    }
#ifdef __clang__  // GCC's needs no function to copy these: the thread begins with the first chunk
    int last = -1;
#pragma omp taskloop nogroup grainsize(1) lastprivate(last) shared(cancelled, late)
    for (int i = 0; i < 16; i++) {
      if (load(&cancelled)) add_one(&late);
      if (!alone) spin_until(&cancelled);
      last = i;
    }
#endif
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
    usleep(20'000);  // the tasks that have begun reach their waits
    store(&cancelled, 1);
  }
  if (kDiscards) CHECK_EQ(late, 0);
  CHECK_EQ(alive, 0);
}

int main() {
  CHECK_BEGIN();
  RUN(detachable);
  RUN(detachable_in_region);
  RUN(taskloop);
  return check_end();
}
