// SPDX-License-Identifier: Apache-2.0
// Tasks that block, on a team of two. A task leaves its thread while another thread, of the team or
// not, lets it go on. It must not be lost, go on before all of it is saved, or go on twice, and it
// must see what was written before unblock() (task/modes/blocking/blocking.h).
#include <gtest/gtest.h>

#include "fiber/context/stack.h"
#include "model/runtime/job.h"
#include "model/runtime/world.h"
#include "platform/memory.h"
#include "task/create/create.h"
#include "task/modes/blocking/blocking.h"
#include "task/modes/continuation_stealing.h"
#include "task/wait/wait.h"
#include "team/model/task_hooks.h"

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
  Var<int> done[4];
  Blocker blockers[2];
  void (*part)(Case&) = nullptr;

  static void run(void* data) {
    auto* self = static_cast<Case*>(data);
    if (bobbin::self().member->num == 0) self->part(*self);
  }
};

using Job = JobOf<Case>;

void finish(Case& shared, int slot) { shared.done[slot] = shared.done[slot] + 1; }

void make_task(Case& shared, int slot, void (*function)(void*)) {
  Job job{&shared, slot};
  TaskSpec spec = spec_of(job, function);
  spec.tied = true;
  create_task(bobbin::self(), spec);
}

void blocked(void* data) {
  Case& shared = *static_cast<Job*>(data)->shared;
  Thread* const thread = &bobbin::self();
  block(*thread, shared.blockers[0]);
  MODEL_CHECK(&bobbin::self() == thread);
  MODEL_CHECK(shared.done[1] == 1);
  finish(shared, 0);
}

void unblocking(void* data) {
  Case& shared = *static_cast<Job*>(data)->shared;
  finish(shared, 1);
  unblock(shared.blockers[0]);
}

void waits_for_blocked(void* data) {
  Case& shared = *static_cast<Job*>(data)->shared;
  make_task(shared, 0, &blocked);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1);
  finish(shared, 2);
}

// Each lets the other go on.
void first_player(void* data) {
  Case& shared = *static_cast<Job*>(data)->shared;
  finish(shared, 0);
  unblock(shared.blockers[0]);
  block(bobbin::self(), shared.blockers[1]);
  MODEL_CHECK(shared.done[1] == 1);
  finish(shared, 2);
}

void second_player(void* data) {
  Case& shared = *static_cast<Job*>(data)->shared;
  block(bobbin::self(), shared.blockers[0]);
  MODEL_CHECK(shared.done[0] == 1);
  finish(shared, 1);
  unblock(shared.blockers[1]);
}

void make_and_wait(Case& shared) {
  make_task(shared, 0, &blocked);
  make_task(shared, 1, &unblocking);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.done[0] == 1 && shared.done[1] == 1);
}

void make_only(Case& shared) {
  make_task(shared, 0, &blocked);
  make_task(shared, 1, &unblocking);
}

void make_nested(Case& shared) {
  make_task(shared, 2, &waits_for_blocked);
  make_task(shared, 1, &unblocking);
}

void make_players(Case& shared) {
  make_task(shared, 1, &second_player);
  make_task(shared, 0, &first_player);
}

Result region(Options options, Provider provider, int tasks, void (*part)(Case&)) {
  return explore(options, [=] {
    auto* world = make<World>(provider);
    Thread& root = world->add_root();
    if (provider == Provider::Fiber) world->start_helper();
    tasks_may_block.store(true, relaxed);
    auto* shared = make<Case>();
    shared->part = part;
    Team* team = assemble(root, 2, Icvs{});
    fork(root, *team, &Case::run, shared);
    Case::run(shared);
    join(root, *team);
    for (int i = 0; i < tasks; ++i) MODEL_CHECK(shared->done[i] == 1);
  });
}

constexpr Options kTwo{.preemptions = 2, .stale_reads = 0};
constexpr Options kOne{.preemptions = 1, .stale_reads = 0};
constexpr Options kStale{.preemptions = 1, .stale_reads = 1};

TEST(ModelBlock, Taskwait) {
  Result result = region(kTwo, Provider::Kernel, 2, &make_and_wait);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBlock, TaskwaitStale) {
  Result result = region(kStale, Provider::Kernel, 2, &make_and_wait);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBlock, TaskwaitFiber) {
  Result result = region(kOne, Provider::Fiber, 2, &make_and_wait);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBlock, EndOfRegion) {
  Result result = region(kOne, Provider::Kernel, 2, &make_only);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBlock, EndOfRegionFiber) {
  Result result = region(kOne, Provider::Fiber, 2, &make_only);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBlock, BelowTaskwait) {
  Result result = region(kOne, Provider::Kernel, 3, &make_nested);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBlock, EachLetsTheOtherGoOn) {
  Result result = region(kOne, Provider::Kernel, 3, &make_players);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace model
}  // namespace bobbin
