/* SPDX-License-Identifier: Apache-2.0
 * What only LLVM's compilers make of tasks: private objects that are constructed in the task's data
 * and destroyed by the runtime, copies of them for the tasks of a taskloop, untied tasks in parts,
 * and entry points that no compiler calls any more or yet. */
#include "check.h"

#include <string>

static int alive, made;

/* Knows its own address, so a bytewise copy shows. */
struct Counted {
  Counted* self = this;
  int value;
  explicit Counted(int v = 0) : value(v) { count(); }
  Counted(const Counted& other) : value(other.value) {
    CHECK(other.self == &other);
    count();
  }
  ~Counted() {
    CHECK(self == this);
    __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED);
  }
  static void count() {
    add_one(&alive);
    add_one(&made);
  }
};

static void destructors() {
  int sum = 0;
  {
    Counted item(3);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(item) shared(sum)
      {
        CHECK(item.self == &item);
        __atomic_add_fetch(&sum, item.value, __ATOMIC_RELAXED);
        item.value = 100;
      }
#pragma omp task firstprivate(item) shared(sum) depend(inout : sum)
      sum += 0 * item.value;
#pragma omp task firstprivate(item) if (0)
      CHECK(item.self == &item);
    }
    CHECK_EQ(sum, 600);
    CHECK_EQ(item.value, 3);
  }
  CHECK_EQ(load(&alive), 0);
}

/* Objects of tasks that never run are destroyed all the same. */
static void cancelled() {
  int ran = 0;
  {
    Counted item(1);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(item) shared(ran) firstprivate(i)
      {
        CHECK(item.self == &item);
        if (i == 20) {
#pragma omp cancel taskgroup
        }
        add_one(&ran);
      }
    }
    CHECK(omp_get_cancellation() ? ran < 200 : ran == 200);
  }
  CHECK_EQ(load(&alive), 0);
}

static void taskloop_objects() {
  int last = -1, sum = 0, changed = 5;
  std::string text(50, 'x');
  {
    Counted item(2);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(3) firstprivate(item, text) lastprivate(last) shared(sum)
      for (int i = 0; i < 100; i++) {
        CHECK(item.self == &item);
        CHECK_EQ(text.size(), 50);
        __atomic_add_fetch(&sum, item.value, __ATOMIC_RELAXED);
        last = i;
      }
      CHECK_EQ(last, 99);
      CHECK_EQ(sum, 200);
      /* Each task has its own copy, as it was at the construct. */
      sum = 0;
#pragma omp taskloop grainsize(1) firstprivate(changed) shared(sum)
      for (int i = 0; i < 100; i++) {
        __atomic_add_fetch(&sum, changed, __ATOMIC_RELAXED);
        changed += 1000;
      }
      CHECK_EQ(sum, 500);
      sum = 0;
#pragma omp taskloop nogroup num_tasks(7) lastprivate(last) shared(sum)
      for (long i = 300; i > 0; i -= 7) {
        __atomic_add_fetch(&sum, 1, __ATOMIC_RELAXED);
        last = (int)i;
      }
#pragma omp taskwait
      CHECK_EQ(sum, 43);
      CHECK_EQ(last, 6);
    }
  }
  CHECK_EQ(load(&alive), 0);
}

static void untied_parts() {
  int steps = 0, children = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task untied shared(steps, children) firstprivate(i)
    {
      int mine = i;
      add_one(&steps);
#pragma omp taskyield
      CHECK_EQ(mine, i);
#pragma omp task shared(children)
      add_one(&children);
      mine++;
#pragma omp taskwait
      CHECK_EQ(mine, i + 1);
      add_one(&steps);
    }
#pragma omp task untied if (0) shared(steps)
    {
      int before = load(&steps);
      add_one(&steps);
#pragma omp taskyield
      CHECK(load(&steps) > before);
      add_one(&steps);
    }
  }
  CHECK_EQ(steps, 200);
  CHECK_EQ(children, 50);
}

struct Large {
  double values[1000];
};

static void large_data() {
  Large data;
  for (int i = 0; i < 1000; i++) data.values[i] = i;
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(data) shared(sum)
      __atomic_add_fetch(&sum, (int)data.values[i], __ATOMIC_RELAXED);
    }
#pragma omp taskloop firstprivate(data) shared(sum) grainsize(2)
    for (int i = 100; i < 200; i++) __atomic_add_fetch(&sum, (int)data.values[i], __ATOMIC_RELAXED);
  }
  CHECK_EQ(sum, 19900);
}

/* Vectors are accessed as aligned. */
typedef double Vector __attribute__((vector_size(32)));

static void aligned_data() {
  Vector vector = {1, 2, 3, 4};
  int sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(vector) shared(sum)
    {
      CHECK_EQ((unsigned long)&vector % 32, 0);
      __atomic_add_fetch(&sum, (int)vector[i % 4], __ATOMIC_RELAXED);
    }
  }
  CHECK_EQ(sum, 250);
}

extern "C" {
struct Image {
  void* shareds;
  int (*routine)(int, Image*);
  int part;
  void* more[2];
  int* counter;
};
int __kmpc_global_thread_num(void*);
Image* __kmpc_omp_task_alloc(void*, int, int, size_t, size_t, int (*)(int, Image*));
int __kmpc_omp_task(void*, int, Image*);
int __kmpc_omp_task_parts(void*, int, Image*);
int __kmpc_omp_taskwait(void*, int);
void __kmpc_proxy_task_completed(int, Image*);
void __kmpc_proxy_task_completed_ooo(Image*);
void __kmpc_taskloop_5(void*, int, Image*, int, unsigned long*, unsigned long*, long, int, int,
                       unsigned long, int, void*);
}

static void proxy_tasks() {
  int counter = 0;
  auto routine = [](int, Image* image) { return add_one(image->counter); };
#pragma omp parallel
#pragma omp single
  {
    int mine = __kmpc_global_thread_num(nullptr);
    Image* tasks[20];
    for (int i = 0; i < 20; i++) {
      tasks[i] = __kmpc_omp_task_alloc(nullptr, mine, 0x11, sizeof(Image), 0, routine);
      tasks[i]->counter = &counter;
      if (i % 2 == 0) __kmpc_proxy_task_completed(mine, tasks[i]);
      __kmpc_omp_task(nullptr, mine, tasks[i]);
      if (i % 2 == 1) __kmpc_proxy_task_completed_ooo(tasks[i]);
    }
    __kmpc_omp_taskwait(nullptr, mine);
    CHECK_EQ(load(&counter), 20);
  }
}

struct LoopImage : Image {
  unsigned long lower, upper;
  unsigned long* longest;
};

/* A stride, a negative one, and the modifier strict, which clang 19 does not pass on. */
static void loops_with_strides() {
  int mine = __kmpc_global_thread_num(nullptr);
  for (long stride : {1L, 3L, -2L}) {
    int counter = 0;
    auto routine = [](int, Image* image) {
      auto* loop = static_cast<LoopImage*>(image);
      long step = (long)loop->more[0];
      for (long i = (long)loop->lower; step > 0 ? i <= (long)loop->upper : i >= (long)loop->upper;
           i += step) {
        add_one(loop->counter);
      }
      return 0;
    };
    Image* image = __kmpc_omp_task_alloc(nullptr, mine, 1, sizeof(LoopImage), 0, routine);
    auto* loop = static_cast<LoopImage*>(image);
    loop->counter = &counter;
    loop->more[0] = (void*)stride;
    loop->lower = stride > 0 ? 10 : (unsigned long)-10L;
    loop->upper = stride > 0 ? 109 : (unsigned long)-109L;
    __kmpc_taskloop_5(nullptr, mine, image, 1, &loop->lower, &loop->upper, stride, 0, 1, 7, 1,
                      nullptr);
    long size = stride > 0 ? stride : -stride;
    CHECK_EQ(counter, 99 / size + 1);
  }
}

static void direct() {
  proxy_tasks();
  loops_with_strides();
#pragma omp parallel
#pragma omp single
  loops_with_strides();
}

int main() {
  CHECK_BEGIN();
  RUN(destructors);
  RUN(cancelled);
  RUN(taskloop_objects);
  RUN(untied_parts);
  RUN(large_data);
  RUN(aligned_data);
  RUN(direct);
  return check_end();
}
