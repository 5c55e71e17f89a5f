// SPDX-License-Identifier: Apache-2.0
// Continuation stealing on a team of two. While a child runs, a thief may take the parent's
// continuation; otherwise it is resumed at the child's end. Two threads never have it (the
// invariant of task/modes/continuation_stealing.h). A context that were resumed before it is
// completely saved would run with wrong registers. A context that were resumed twice would do its
// part twice. A thread that waited for parts must see their writes.
#include <gtest/gtest.h>

#include "fiber/context/stack.h"
#include "model/runtime/job.h"
#include "model/runtime/world.h"
#include "platform/memory.h"
#include "task/create/create.h"
#include "task/model/taskgroup.h"
#include "task/modes/continuation_stealing.h"
#include "task/wait/wait.h"
#include "team/members/barrier.h"

namespace bobbin {

// Replaces task/modes/continuation_pool.cpp, whose continuations outlive an execution.
Continuation* take_continuation(Thread&) {
  Stack* stack = take_stack();
  if (stack == nullptr) return nullptr;
  auto* continuation = make<Continuation>();
  continuation->stack = stack;
  continuation->limit = stack->reserve();
  return continuation;
}
void give_continuation(Thread&, Continuation& continuation) { give_stack(continuation.stack); }

namespace model {
namespace {

struct Case {
  static constexpr int kNone = -1;

  Var<int> done[6];
  int innermost_tied[2] = {kNone, kNone};  // for each thread, the task's slot
  void (*part)(Case&) = nullptr;

  static void run(void* data) {
    auto* self = static_cast<Case*>(data);
    if (bobbin::self().member->num == 0) self->part(*self);
  }
};

using Job = JobOf<Case>;

void finish(Case& shared, int slot) { shared.done[slot] = shared.done[slot] + 1; }

enum class Tied : bool { No, Yes };

void make_task(Case& shared, int slot, void (*function)(void*), Tied tied = Tied::No) {
  Job job{&shared, slot};
  TaskSpec spec = spec_of(job, function);
  spec.tied = tied == Tied::Yes;
  spec.may_make_way = true;
  create_task(bobbin::self(), spec);
}

void leaf(void* data) {
  auto* job = static_cast<Job*>(data);
  finish(*job->shared, job->slot);
}

// The first slot is the continuation's, and the next one the child's.
void parent_that_waits(void* data) {
  auto* job = static_cast<Job*>(data);
  Case& shared = *job->shared;
  make_task(shared, job->slot + 1, &leaf);
  finish(shared, job->slot);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.done[job->slot + 1] == 1);
}

void parent_of_tied(void* data) {
  auto* job = static_cast<Job*>(data);
  make_task(*job->shared, job->slot + 1, &leaf, Tied::Yes);
  finish(*job->shared, job->slot);
  taskwait(bobbin::self());
  MODEL_CHECK(job->shared->done[job->slot + 1] == 1);
}

void parent_that_ends(void* data) {
  auto* job = static_cast<Job*>(data);
  make_task(*job->shared, job->slot + 1, &leaf);
  finish(*job->shared, job->slot);
}

void parent_of_two(void* data) {
  auto* job = static_cast<Job*>(data);
  make_task(*job->shared, job->slot + 1, &leaf);
  make_task(*job->shared, job->slot + 2, &leaf);
  finish(*job->shared, job->slot);
  taskwait(bobbin::self());
  MODEL_CHECK(job->shared->done[job->slot + 1] == 1 && job->shared->done[job->slot + 2] == 1);
}

// Waits for its grandchild.
void parent_with_group(void* data) {
  auto* job = static_cast<Job*>(data);
  taskgroup_begin(bobbin::self());
  make_task(*job->shared, job->slot + 1, &parent_that_ends);
  taskgroup_end(bobbin::self());
  MODEL_CHECK(job->shared->done[job->slot + 1] == 1 && job->shared->done[job->slot + 2] == 1);
  finish(*job->shared, job->slot);
}

// Tasks in groups of three, each the child of the one before.
bool descends(int slot, int from) { return slot / 3 == from / 3 && slot >= from; }

// Calls `body` as a tied task's body, and checks that the task may begin where others are suspended
// (section 12.9). Only its thread records this, because a tied task stays in its thread.
template <class Body>
void in_tied(Job& job, Body&& body) {
  int& innermost = job.shared->innermost_tied[bobbin::self().member->num];
  MODEL_CHECK(innermost == Case::kNone || descends(job.slot, innermost));
  const int outer = innermost;
  innermost = job.slot;
  body();
  finish(*job.shared, job.slot);
  innermost = outer;
}

void tied_leaf(void* data) {
  in_tied(*static_cast<Job*>(data), [] {});
}

void untied_that_waits(void* data) {
  auto* job = static_cast<Job*>(data);
  make_task(*job->shared, job->slot + 1, &tied_leaf, Tied::Yes);
  finish(*job->shared, job->slot);
  taskwait(bobbin::self());
}

void tied_that_waits(void* data) {
  auto* job = static_cast<Job*>(data);
  in_tied(*job, [&] {
    make_task(*job->shared, job->slot + 1, &untied_that_waits);
    taskwait(bobbin::self());
  });
}

void make_two_tied(Case& shared) {
  make_task(shared, 0, &tied_that_waits, Tied::Yes);
  make_task(shared, 3, &tied_that_waits, Tied::Yes);
}

template <void (*kTask)(void*)>
void make_and_wait(Case& shared) {
  make_task(shared, 0, kTask);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1);
}

template <void (*kTask)(void*)>
void make_only(Case& shared) {
  make_task(shared, 0, kTask);
}

Result region(Options options, Provider provider, int tasks, void (*part)(Case&)) {
  return explore(options, [=] {
    auto* world = make<World>(provider);
    Thread& root = world->add_root();
    if (provider == Provider::Fiber) world->start_helper();
    auto* shared = make<Case>();
    shared->part = part;
    Icvs icvs;
    icvs.task_policy.creation = Creation::Continuation;
    icvs.task_policy.steered = true;
    Team* team = assemble(root, 2, icvs);
    fork(root, *team, &Case::run, shared);
    Case::run(shared);
    join(root, *team);
    for (int i = 0; i < tasks; ++i) MODEL_CHECK(shared->done[i] == 1);
  });
}

constexpr Options kTwo{.preemptions = 2, .stale_reads = 0};
constexpr Options kOne{.preemptions = 1, .stale_reads = 0};
constexpr Options kStale{.preemptions = 1, .stale_reads = 1};

TEST(ModelContinuation, Taskwait) {
  Result result = region(kTwo, Provider::Kernel, 2, &make_and_wait<&parent_that_waits>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, TaskwaitStale) {
  Result result = region(kStale, Provider::Kernel, 2, &make_and_wait<&parent_that_waits>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, TaskwaitFiber) {
  Result result = region(kOne, Provider::Fiber, 2, &make_and_wait<&parent_that_waits>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, TiedChild) {
  Result result = region(kOne, Provider::Kernel, 2, &make_and_wait<&parent_of_tied>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, TaskSchedulingConstraint) {
  Result result = region(kOne, Provider::Kernel, 6, &make_two_tied);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, TwoChildren) {
  Result result = region(kOne, Provider::Kernel, 3, &make_and_wait<&parent_of_two>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, EndOfRegion) {
  Result result = region(kTwo, Provider::Kernel, 2, &make_only<&parent_that_ends>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, EndOfRegionFiber) {
  Result result = region(kOne, Provider::Fiber, 2, &make_only<&parent_that_ends>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelContinuation, Taskgroup) {
  Result result = region(kOne, Provider::Kernel, 3, &make_and_wait<&parent_with_group>);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace model
}  // namespace bobbin
