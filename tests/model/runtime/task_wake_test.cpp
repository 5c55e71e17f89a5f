// SPDX-License-Identifier: Apache-2.0
// A thread that sleeps or rests is woken for a task that others have made ready. No other thread
// executes the task here, so a lost wake-up is a deadlock.
#include <gtest/gtest.h>

#include "model/runtime/job.h"
#include "model/runtime/parts.h"
#include "task/model/child_count.h"
#include "task/model/descriptor.h"
#include "task/model/extras.h"
#include "task/run/execute.h"
#include "task/wait/wait.h"
#include "team/members/barrier.h"

namespace bobbin::model {
namespace {

using Job = JobOf<Stage>;

void begin(void* data) { static_cast<Job*>(data)->shared->flag.store(1, release); }

// The maker waits outside of any scheduling point.

void make_and_wait(Stage& stage) {
  Job job{&stage, 0};
  TaskSpec spec = spec_of(job, &begin);
  spec.rare = &kLookAhead;  // deferred, even if few threads may take it
  create_task(stage.me(), spec);
  while (stage.flag.load(acquire) == 0) bobbin::cpu_pause();
}

void rest(Stage& /*stage*/) {}

// A thread left over from the previous region looks at this region, in which it has no part.
TEST(ModelTaskCall, AfterLargerRegion) {
  Result result = explore({.preemptions = 1, .stale_reads = 0, .impatience = 0}, [] {
    Thread& root = make<World>(Provider::Kernel)->add_root();
    perform(root, {rest, rest, rest});
    perform(root, {make_and_wait, rest});
  });
  EXPECT_TRUE(result.passed()) << result;
}

// The first woken thread is not allowed to begin the task.
void wait_in_task(Stage& stage) {
  wait_for_zero(stage.me(), stage.to_come);
  barrier_wait(stage.me());
}

void wait_at_barrier(Stage& stage) { barrier_wait(stage.me()); }

void make_and_end_wait(Stage& stage) {
  make_and_wait(stage);
  if (stage.to_come.fetch_sub(1, acq_rel) == (kWaiter | 1)) resume(stage.thread(0));
  barrier_wait(stage.me());
}

TEST(ModelTaskCall, PassedOnByOneWhoMayNotBeginTheTask) {
  Result result = explore({.preemptions = 0, .stale_reads = 0, .impatience = 3}, [] {
    Thread& root = make<World>(Provider::Kernel)->add_root();
    perform(root, {wait_in_task, make_and_end_wait, wait_at_barrier});
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A thread outside of the team makes a child ready while the team's only thread waits for it.
struct Outside {
  void (*wait)(Thread&) = nullptr;
  Atomic<bobbin::Task*> child{nullptr};
  Var<int> done;

  static void finish(void* data) { (*static_cast<Outside**>(data))->done = 1; }

  static void wait_for_child(void* data) {
    auto* outside = static_cast<Outside*>(data);
    Thread& me = bobbin::self();
    bobbin::Task* child = make_descriptor(me, WithExtras::Yes, sizeof outside, alignof(void*));
    child->function = finish;
    construct_data(*child, &outside, nullptr, sizeof outside);
    child->inherit(*me.task, false, true);
    child->extras->team = me.member->team;
    count_child(*me.member, *child);
    outside->child.store(child, release);
    outside->wait(me);
    MODEL_CHECK(outside->done == 1);
    MODEL_CHECK(!me.member->team->barrier.asleep.any());  // otherwise a later wake-up would be lost
  }
};

void wait_at_taskwait(Thread& thread) { taskwait(thread); }
void wait_at_barrier(Thread& thread) { barrier_wait(thread); }

// `offered`: others were notified of an earlier task, and have not found it yet.
Result made_ready_from_outside(Provider provider, bool offered, void (*wait)(Thread&)) {
  return explore({.preemptions = 1, .stale_reads = 2}, [=] {
    auto* world = make<World>(provider);
    Thread& root = world->add_root();
    auto* outside = make<Outside>();
    outside->wait = wait;
    spawn([=] {
      Thread& other = world->add_root();
      bobbin::Task* child;
      while ((child = outside->child.load(acquire)) == nullptr) bobbin::cpu_pause();
      make_ready(other, *child);
    });
    Team* team = assemble(root, 1, Icvs{});
    team->tasks_offered.store(offered, relaxed);
    fork(root, *team, &Outside::wait_for_child, outside);
    Outside::wait_for_child(outside);
    join(root, *team);
  });
}

TEST(ModelTaskCall, FromOutside) {
  for (const bool offered : {false, true}) {
    for (const auto wait : {wait_at_taskwait, wait_at_barrier}) {
      Result result = made_ready_from_outside(Provider::Kernel, offered, wait);
      EXPECT_TRUE(result.passed()) << result;
    }
  }
}

TEST(ModelTaskCall, FromOutsideFiber) {
  for (const bool offered : {false, true}) {
    for (const auto wait : {wait_at_taskwait, wait_at_barrier}) {
      Result result = made_ready_from_outside(Provider::Fiber, offered, wait);
      EXPECT_TRUE(result.passed()) << result;
    }
  }
}

}  // namespace
}  // namespace bobbin::model
