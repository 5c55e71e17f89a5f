/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks with threadset(omp_pool), as clang makes them from version 22 on. The only thread of the
 * team waits for what only a free agent can do.
 */
#include <dlfcn.h>

#include "check.h"
#include "kmp/kmp_direct.h"

void __kmpc_taskloop(Ident*, int32_t, void*, int32_t, uint64_t*, uint64_t*, int64_t, int32_t,
                     int32_t, uint64_t, void*);

enum { kTied = 1, kForPool = 0x80, kImage = 40 };

static int32_t me(void) { return __kmpc_global_thread_num(&kPlace); }

static int by_agents, iterations;

/* libomp 19, with which the program is linked, does not have it. */
static int (*is_free_agent)(void);

static int32_t count(int32_t thread_num, void* task) {
  (void)task;
  CHECK_EQ(thread_num, me());
  if (is_free_agent()) add_one(&by_agents);
  return 0;
}

static void wait_for_agents(int tasks) {
  while (load(&by_agents) < tasks) {
  }
}

static void task(void) {
  by_agents = 0;
#pragma omp parallel num_threads(1)
  {
    void* image = __kmpc_omp_task_alloc(&kPlace, me(), kTied | kForPool, kImage, 0, count);
    __kmpc_omp_task(&kPlace, me(), image);
    wait_for_agents(1);
  }
}

static void dependent_tasks(void) {
  enum { kOut = 3, kTasks = 10 };
  static int data;
  const TaskDependence dependence = {(uintptr_t)&data, 0, kOut};
  by_agents = 0;
#pragma omp parallel num_threads(1)
  {
    for (int i = 0; i < kTasks; i++) {
      void* image = __kmpc_omp_task_alloc(&kPlace, me(), kTied | kForPool, kImage, 0, count);
      __kmpc_omp_task_with_deps(&kPlace, me(), image, 1, &dependence, 0, NULL);
    }
    wait_for_agents(kTasks);
  }
}

static int32_t count_iterations(int32_t thread_num, void* image) {
  const uint64_t* bounds = (const uint64_t*)((char*)image + kImage);
  for (uint64_t i = bounds[0]; i <= bounds[1]; i++) add_one(&iterations);
  return count(thread_num, image);
}

static void taskloop(void) {
  by_agents = iterations = 0;
#pragma omp parallel num_threads(1)
  {
    void* image =
        __kmpc_omp_task_alloc(&kPlace, me(), kTied | kForPool, kImage + 24, 0, count_iterations);
    uint64_t* bounds = (uint64_t*)((char*)image + kImage);
    bounds[0] = 0;
    bounds[1] = 99;
    __kmpc_taskloop(&kPlace, me(), image, 1, &bounds[0], &bounds[1], 1, 1, 2, 20, NULL);
    wait_for_agents(1);
  }
  CHECK_EQ(iterations, 100);
}

int main(void) {
  CHECK_BEGIN();
  is_free_agent = (int (*)(void))dlsym(RTLD_DEFAULT, "omp_is_free_agent");
  if (is_free_agent == NULL) {
    CHECK(!"omp_is_free_agent is there");
    return check_end();
  }
  RUN(task);
  RUN(dependent_tasks);
  RUN(taskloop);
  return check_end();
}
