// SPDX-License-Identifier: Apache-2.0
// When a program's scheduler counts as one that has lost its tasks: after a second in which nothing
// runs on behalf of its group, however long a task takes.
#include "task/modes/user_scheduler.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>

#include "construct/regions/parallel.h"
#include "platform/clocks/clock.h"
#include "task/create/create.h"
#include "task/wait/wait.h"
#include "team/members/barrier.h"

namespace bobbin {
namespace {

// Gives the tasks in the order of their hints, from 1 on. Only the thread that was given the first
// one is given the second. The last one stays back until the second is over.
struct Stages {
  static constexpr int kTasks = 3;
  Atomic<bobbin_task> tasks[kTasks] = {};
  Atomic<int> given{0};
  Atomic<int> first_thread{-1};
  Atomic<bool> second_over{false};
  Atomic<int> ended{0};
};

void ready(void* user, int /*thread*/, bobbin_task task, const bobbin_task_facts* facts) {
  static_cast<Stages*>(user)->tasks[facts->hint - 1].store(task, release);
}

bobbin_task next(void* user, int thread) {
  auto& stages = *static_cast<Stages*>(user);
  int stage = stages.given.load(acquire);
  if (stage == Stages::kTasks || stages.tasks[stage].load(acquire) == 0) return 0;
  if (stage == 1 && (thread != stages.first_thread.load(acquire) || stages.tasks[2].load() == 0)) {
    return 0;
  }
  if (stage == 2 && !stages.second_over.load(acquire)) return 0;
  if (!stages.given.compare_exchange_strong(stage, stage + 1)) return 0;
  if (stage == 0) stages.first_thread.store(thread, release);
  return stages.tasks[stage].load(acquire);
}

void create(Stages& stages, unsigned hint, void (*function)(void*)) {
  set_task_hint(self(), hint);
  Stages* argument = &stages;
  TaskSpec spec;
  spec.function = function;
  spec.data = &argument;
  spec.size = sizeof argument;
  spec.alignment = alignof(Stages*);
  create_task(self(), spec);
}

Stages& stages_of(void* data) { return **static_cast<Stages**>(data); }

void end_last(void* data) { stages_of(data).ended.fetch_add(1); }

// It waits for the last one. Meanwhile its thread is given the second one, which it may not begin.
void end_first(void* data) {
  create(stages_of(data), 3, end_last);
  taskwait(self());
  stages_of(data).ended.fetch_add(1);
}

// All other threads wait, so it is the only one that counts.
void end_second(void* data) {
  const Atomic<uint32_t>& running = scheduler_of(self().task->group)->running;
  while (running.load(acquire) > 1 && running.load(acquire) < 100) sched_yield();
  for (int i = 0; i < 100; i++) {
    EXPECT_EQ(running.load(acquire), 1u);
    sched_yield();
  }
  stages_of(data).ended.fetch_add(1);
  stages_of(data).second_over.store(true, release);
}

TEST(UserScheduler, ATaskCountsAsRunningFromWhenItIsGivenToItsEnd) {
  for (int round = 0; round < 20; round++) {
    Stages stages;
    ParallelClauses clauses;
    clauses.num_threads = 2;
    parallel(
        [](void* data) {
          if (self().member->num == 0) {
            taskgroup_begin(self());
            EXPECT_TRUE(set_taskgroup_scheduler(self(), {ready, next, nullptr}, data));
            create(*static_cast<Stages*>(data), 2, end_second);
            create(*static_cast<Stages*>(data), 1, end_first);
            taskgroup_end(self());
          }
          barrier_wait(self());
        },
        &stages, clauses);
    EXPECT_EQ(stages.ended.load(), Stages::kTasks);
  }
}

// A thread in a taskgroup whose scheduler holds a task. It has found the same for a minute.
class Waiting : public testing::Test {
 protected:
  Waiting() {
    group_.scheduler = &scheduler_;
    group_.state.store(kScheduled);
    scheduler_.held.store(1);
    thread_.task->group = &group_;
    notes_.since = ticks() - 60'000'000 * ticks_per_us();
  }
  ~Waiting() override { thread_.task->group = nullptr; }

  void wait_with_patience() {
    EXPECT_TRUE(mode_.wait(thread_, notes_));
    EXPECT_EQ(notes_.since, 0u);  // the time begins anew
  }

  Thread& thread_ = self();
  Taskgroup group_;
  UserScheduler scheduler_;
  ProgramMode mode_;
  WaitNotes notes_;
};

using WaitingDeathTest = Waiting;

TEST_F(Waiting, IsPatientWhileATaskRuns) {
  scheduler_.running.store(1);
  wait_with_patience();
}

TEST_F(Waiting, IsPatientWhileATaskIsHandedOver) {
  scheduler_.handing.store(1);
  wait_with_patience();
}

TEST_F(Waiting, IsPatientAfterAChange) {
  scheduler_.changes.store(1);
  EXPECT_TRUE(mode_.wait(thread_, notes_));
  EXPECT_LT(ticks() - notes_.since, 30'000'000 * ticks_per_us());
  EXPECT_EQ(notes_.changes, 1u);
}

TEST_F(Waiting, IsNotNeededWithoutTasks) {
  scheduler_.held.store(0);
  EXPECT_FALSE(mode_.wait(thread_, notes_));
}

TEST_F(WaitingDeathTest, EndsTheProgramIfTasksAreLost) {
  EXPECT_EXIT(mode_.wait(thread_, notes_), testing::ExitedWithCode(EXIT_FAILURE),
              "has 1 tasks and nothing else is running");
}

}  // namespace
}  // namespace bobbin
