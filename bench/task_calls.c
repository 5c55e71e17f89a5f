// SPDX-License-Identifier: Apache-2.0
// What the calls by which a program of clang makes tasks take in a runtime, measured from outside,
// so that runtimes can be compared that tell a tool nothing of it. This library is loaded before
// the runtime and calls it on. It writes figures into the file that TASK_CALLS names:
//
//   allocation    __kmpc_omp_task_alloc
//   enqueue       __kmpc_omp_task: the task is counted and queued, or executed at once
//   dependences   __kmpc_omp_task_with_deps: the same, after its predecessors have been looked for
//
// The bodies of tasks that a call executes are no part of it. To know their time, the library puts
// a function of its own in their place, and the program's function in front of the shared data.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

typedef int (*Body)(int gtid, void* task);

// The beginning of kmp_task_t, which compilers know.
struct Task {
  void* shareds;
  Body body;
};

// As large as shared data may need to be aligned.
enum { kHead = 16, kMostThreads = 1024 };

enum Call { kAllocation, kEnqueue, kDependences, kCalls };
static const char* const kNames[kCalls] = {"allocation", "enqueue", "dependences"};

struct Tally {
  int64_t ticks;
  int64_t count;
};

// Of a thread, by the runtime's number. Threads of one number would share it; there are no nested
// regions in the programs that are measured.
static struct {
  struct Tally tallies[kCalls];
  int64_t in_bodies;  // ticks that its calls have spent in bodies of tasks
  char rest_of_line[128 - kCalls * sizeof(struct Tally) - sizeof(int64_t)];
} threads[kMostThreads];

static int64_t stamp_ticks;  // that a stamp adds between two stamps

static struct Task* (*task_alloc)(void*, int, int, size_t, size_t, Body);
static int (*task_enqueue)(void*, int, struct Task*);
static int (*task_with_deps)(void*, int, struct Task*, int, void*, int, void*);

// Of a call that began at `start`, when the thread had been in bodies for `before`.
static void count(int gtid, enum Call call, int64_t start, int64_t before) {
  const int64_t took = stamp() - start - stamp_ticks;
  const int64_t in_bodies = threads[gtid].in_bodies - before;
  struct Tally* tally = &threads[gtid].tallies[call];
  tally->ticks += took - in_bodies;
  tally->count++;
}

static int run_body(int gtid, void* argument) {
  struct Task* task = argument;
  const Body body = ((Body*)task->shareds)[-1];
  const int64_t before = threads[gtid].in_bodies;
  const int64_t start = stamp();
  const int result = body(gtid, task);
  threads[gtid].in_bodies = before + stamp() - start + stamp_ticks;
  return result;
}

struct Task* __kmpc_omp_task_alloc(void* place, int gtid, int flags, size_t size,
                                   size_t shared_size, Body body) {
  const int64_t before = threads[gtid].in_bodies;
  const int64_t start = stamp();
  struct Task* task = task_alloc(place, gtid, flags, size, shared_size + kHead, run_body);
  count(gtid, kAllocation, start, before);
  task->shareds = (char*)task->shareds + kHead;
  ((Body*)task->shareds)[-1] = body;
  return task;
}

int __kmpc_omp_task(void* place, int gtid, struct Task* task) {
  const int64_t before = threads[gtid].in_bodies;
  const int64_t start = stamp();
  const int result = task_enqueue(place, gtid, task);
  count(gtid, kEnqueue, start, before);
  return result;
}

int __kmpc_omp_task_with_deps(void* place, int gtid, struct Task* task, int deps, void* list,
                              int more_deps, void* more) {
  const int64_t before = threads[gtid].in_bodies;
  const int64_t start = stamp();
  const int result = task_with_deps(place, gtid, task, deps, list, more_deps, more);
  count(gtid, kDependences, start, before);
  return result;
}

__attribute__((constructor)) static void begin_calls(void) {
  // A runtime without them has no program that calls them.
  *(void**)&task_alloc = dlsym(RTLD_NEXT, "__kmpc_omp_task_alloc");
  *(void**)&task_enqueue = dlsym(RTLD_NEXT, "__kmpc_omp_task");
  *(void**)&task_with_deps = dlsym(RTLD_NEXT, "__kmpc_omp_task_with_deps");
  choose_clock();
  stamp_ticks = 1 << 30;
  for (int i = 0; i < 1000; i++) {
    const int64_t start = stamp();
    const int64_t between = stamp() - start;
    if (between < stamp_ticks) stamp_ticks = between;
  }
}

__attribute__((destructor)) static void end_calls(void) {
  const char* path = getenv("TASK_CALLS");
  FILE* file = path != NULL ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  for (int call = 0; call < kCalls; call++) {
    struct Tally sum = {0, 0};
    for (int thread = 0; thread < kMostThreads; thread++) {
      sum.ticks += threads[thread].tallies[call].ticks;
      sum.count += threads[thread].tallies[call].count;
    }
    if (sum.count == 0) continue;
    fprintf(file, "metric=cycles value=%.6g unit=cycles part=%s\n",
            (double)sum.ticks / (double)sum.count, kNames[call]);
    fprintf(file, "metric=calls value=%lld unit=calls part=%s\n", (long long)sum.count,
            kNames[call]);
  }
  fclose(file);
}
