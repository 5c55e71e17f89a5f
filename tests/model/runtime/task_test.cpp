// SPDX-License-Identifier: Apache-2.0
// Explicit tasks on a team of two: the task layer's own code from the construct to the last
// reference.
#include <gtest/gtest.h>

#include "model/runtime/job.h"
#include "model/runtime/world.h"
#include "task/create/create.h"
#include "task/model/taskgroup.h"
#include "task/wait/detach.h"
#include "task/wait/wait.h"
#include "team/members/barrier.h"

namespace bobbin::model {
namespace {

struct Case {
  Var<int> done[4];
  Atomic<void*> event{nullptr};
  void (*parts[2])(Case&) = {};

  static void run(void* data) {
    auto* self = static_cast<Case*>(data);
    void (*part)(Case&) = self->parts[bobbin::self().member->num];
    if (part != nullptr) part(*self);
  }
};

using Job = JobOf<Case>;

void finish(void* data) {
  auto* job = static_cast<Job*>(data);
  job->shared->done[job->slot] = job->shared->done[job->slot] + 1;
}

void make_task(Case& shared, int slot, void (*function)(void*) = &finish,
               void** event_handle = nullptr) {
  Job job{&shared, slot};
  TaskSpec spec = spec_of(job, function);
  spec.rare = &kLookAhead;  // deferred, even if few threads may take it
  spec.event_handle = event_handle;
  create_task(bobbin::self(), spec);
}

// A region of two threads, where every task must have run by the join.
Result region(Options options, Provider provider, int tasks, void (*first)(Case&),
              void (*second)(Case&) = nullptr) {
  return explore(options, [=] {
    auto* world = make<World>(provider);
    Thread& root = world->add_root();
    if (provider == Provider::Fiber) world->start_helper();
    auto* shared = make<Case>();
    shared->parts[0] = first;
    shared->parts[1] = second;
    Team* team = assemble(root, 2, Icvs{});
    fork(root, *team, &Case::run, shared);
    Case::run(shared);
    join(root, *team);
    for (int i = 0; i < tasks; ++i) MODEL_CHECK(shared->done[i] == 1);
  });
}

void two_tasks_and_wait(Case& shared) {
  make_task(shared, 0);
  make_task(shared, 1);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1 && shared.done[1] == 1);
}

// A thief that takes two tasks at once reports both together to the parent.
void want_two(Case& /*shared*/) { bobbin::self().member->tuning.next_haul = 2; }

void three_tasks_and_wait(Case& shared) {
  for (int i = 0; i < 3; ++i) make_task(shared, i);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1 && shared.done[1] == 1 && shared.done[2] == 1);
}

// The second task of the haul, from another taskgroup, must not delay the report of the first one.
void tasks_in_and_out_of_group(Case& shared) {
  make_task(shared, 0);
  taskgroup_begin(bobbin::self());
  make_task(shared, 1);
  make_task(shared, 2);
  taskgroup_end(bobbin::self());
  MODEL_CHECK(shared.done[1] == 1 && shared.done[2] == 1);
}

// A thread that executes the first of these tasks and then the second must have reported the first
// one before: the second awaits an action of the other member after its taskwait.
void urgent_task_and_wait(Case& shared) {
  Job job{&shared, 0};
  TaskSpec spec = spec_of(job, &finish);
  spec.priority = 1;
  create_task(bobbin::self(), spec);
  taskwait(bobbin::self());
  shared.event.store(&shared, release);
}

void await_event(void* data) {
  while (static_cast<Job*>(data)->shared->event.load(acquire) == nullptr) bobbin::cpu_pause();
  finish(data);
}

void task_that_awaits(Case& shared) { make_task(shared, 1, &await_event); }

void one_task(Case& shared) { make_task(shared, 0); }

void task_and_barrier(Case& shared) {
  make_task(shared, static_cast<int>(bobbin::self().member->num));
  barrier_wait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1 && shared.done[1] == 1);
}

// A quick thread is at the next barrier when others have not left the first one.
void task_and_two_barriers(Case& shared) {
  if (bobbin::self().member->num == 0) make_task(shared, 0);
  barrier_wait(bobbin::self());
  barrier_wait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1);
}

// The task is never finished, at least not by the barrier: the other member cancels the region.
void cancelled_barrier(Case& shared) {
  MODEL_CHECK(barrier_wait(bobbin::self()));
  MODEL_CHECK(shared.done[0] == 1);
}

void cancel(Case& shared) {
  shared.done[0] = 1;
  barrier_cancel(*bobbin::self().member->team);
}

void parent_of_one(void* data) {
  auto* job = static_cast<Job*>(data);
  make_task(*job->shared, job->slot + 1);
  finish(data);
}

// The parent may end, and its descriptor may be freed, before the child ends.
void nested_tasks(Case& shared) { make_task(shared, 0, &parent_of_one); }

// A thread that sees that the parent has ended also sees the child, whichever thread made it.
void nested_tasks_and_barrier(Case& shared) {
  if (bobbin::self().member->num == 1) make_task(shared, 0, &parent_of_one);
  barrier_wait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1 && shared.done[1] == 1);
}

void nested_tasks_in_group(Case& shared) {
  taskgroup_begin(bobbin::self());
  make_task(shared, 0, &parent_of_one);
  taskgroup_end(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1 && shared.done[1] == 1);
}

void detached_task(Case& shared) {
  void* handle = nullptr;
  Job job{&shared, 0};
  struct WithHandle {
    void* handle;
    Job job;
  } data{nullptr, job};
  TaskSpec spec;
  spec.function = [](void* own) { finish(&static_cast<WithHandle*>(own)->job); };
  spec.data = &data;
  spec.size = sizeof data;
  spec.alignment = alignof(WithHandle);
  spec.event_handle = &handle;
  create_task(bobbin::self(), spec);
  shared.done[1] = 1;
  shared.event.store(handle, release);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1 && shared.done[2] == 1);
}

void fulfill(Case& shared) {
  void* handle;
  while ((handle = shared.event.load(acquire)) == nullptr) bobbin::cpu_pause();
  shared.done[2] = 1;  // seen by the thread that waits for the task's completion
  fulfill_event(*static_cast<Event*>(handle));
}

constexpr Options kKernel{.preemptions = 2, .stale_reads = 0};
constexpr Options kFiber{.preemptions = 1, .stale_reads = 0};
constexpr Options kStale{.preemptions = 1, .stale_reads = 1};

TEST(ModelTask, Taskwait) {
  Result result = region(kKernel, Provider::Kernel, 2, &two_tasks_and_wait);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, TaskwaitStale) {
  Result result = region(kStale, Provider::Kernel, 2, &two_tasks_and_wait);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, Haul) {
  Result result = region(kFiber, Provider::Kernel, 3, &three_tasks_and_wait, &want_two);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, HaulFiber) {
  Result result = region(kFiber, Provider::Fiber, 3, &three_tasks_and_wait, &want_two);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, HaulOfTwoGroups) {
  Result result = region(kFiber, Provider::Kernel, 3, &tasks_in_and_out_of_group, &want_two);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, TaskThatAwaitsTheEndOfTheOneBefore) {
  Result result = region(kFiber, Provider::Kernel, 2, &urgent_task_and_wait, &task_that_awaits);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, TaskwaitFiber) {
  Result result = region(kFiber, Provider::Fiber, 2, &two_tasks_and_wait);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, EndOfRegion) {
  Result result = region(kKernel, Provider::Kernel, 1, &one_task);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, EndOfRegionFiber) {
  Result result = region(kFiber, Provider::Fiber, 1, &one_task);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, Barrier) {
  Result result = region(kFiber, Provider::Kernel, 2, &task_and_barrier, &task_and_barrier);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, TwoBarriers) {
  Result result =
      region(kFiber, Provider::Kernel, 1, &task_and_two_barriers, &task_and_two_barriers);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, CancelledBarrier) {
  Result result = region(kKernel, Provider::Kernel, 0, &cancelled_barrier, &cancel);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, CancelledBarrierFiber) {
  Result result = region(kFiber, Provider::Fiber, 0, &cancelled_barrier, &cancel);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, ChildOutlivesParent) {
  Result result = region(kKernel, Provider::Kernel, 2, &nested_tasks);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, BarrierAwaitsWhatTasksHaveMade) {
  Result result =
      region(kStale, Provider::Kernel, 2, &nested_tasks_and_barrier, &nested_tasks_and_barrier);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, Taskgroup) {
  Result result = region(kKernel, Provider::Kernel, 2, &nested_tasks_in_group);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTask, DetachedTask) {
  Result result = region(kKernel, Provider::Kernel, 3, &detached_task, &fulfill);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
