// SPDX-License-Identifier: Apache-2.0
// Barriers and joins to which the threads come by trees, as in large teams: with tasks, cancelled,
// with members that are adopted, and in teams that change their size.
#include <gtest/gtest.h>

#include "model/runtime/job.h"
#include "model/runtime/world.h"
#include "task/create/create.h"
#include "team/members/barrier.h"

namespace bobbin::model {
namespace {

constexpr unsigned kMost = World::kMaxTeam;

struct Case {
  Team* team = nullptr;
  Var<int> wrote[kMost];  // each thread, before the barrier
  Var<int> done[kMost];   // each thread's task
  Atomic<int> came{0};
  int round = 0;
  void (*part)(Case&, unsigned) = nullptr;

  static void run(void* data) {
    auto* self = static_cast<Case*>(data);
    self->part(*self, bobbin::self().member->num);
  }
};

// A world in which two threads, or two groups, share a counter.
World* make_world(Provider provider) {
  ArrivalTree::kGroup = 2;
  ArrivalTree::kFlat = 1;
  return make<World>(provider);
}

void execute(Thread& root, Case& shared, unsigned size, void (*part)(Case&, unsigned)) {
  shared.round++;
  shared.part = part;
  shared.came.store(0, relaxed);
  Team* team = assemble(root, size, Icvs{});
  shared.team = team;
  fork(root, *team, &Case::run, &shared);
  Case::run(&shared);
  join(root, *team);
  MODEL_CHECK(team->barrier.tree.below_top(size) == 0);
  MODEL_CHECK(team->participants.inside(size) == 0);
}

void write_and_meet(Case& shared, unsigned num) {
  shared.wrote[num] = shared.round;
  shared.came.fetch_add(1, relaxed);
  barrier_wait(bobbin::self());
  MODEL_CHECK(shared.came.load(relaxed) == static_cast<int>(shared.team->size));
  for (unsigned other = 0; other < shared.team->size; ++other) {
    MODEL_CHECK(shared.wrote[other] == shared.round);
  }
}

Result regions(Options options, Provider provider, unsigned first, unsigned second) {
  return explore(options, [=] {
    auto* world = make_world(provider);
    Thread& root = world->add_root();
    if (provider == Provider::Fiber) world->start_helper();
    auto* shared = make<Case>();
    execute(root, *shared, first, write_and_meet);
    if (second != 0) execute(root, *shared, second, write_and_meet);
  });
}

TEST(ModelTree, Barrier) {
  Result result = regions({.preemptions = 1, .stale_reads = 1}, Provider::Fiber, 3, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTree, TheTeamChangesItsSize) {
  Result result = regions({.preemptions = 1, .stale_reads = 0}, Provider::Fiber, 4, 3);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelTreeKernel, Barrier) {
  Result result = regions({.preemptions = 1, .stale_reads = 0}, Provider::Kernel, 3, 0);
  EXPECT_TRUE(result.passed()) << result;
}

void finish(void* data) {
  auto* job = static_cast<JobOf<Case>*>(data);
  job->shared->done[job->slot] = job->shared->done[job->slot] + 1;
}

void task_and_barrier(Case& shared, unsigned num) {
  JobOf<Case> job{&shared, static_cast<int>(num)};
  TaskSpec spec = spec_of(job, &finish);
  spec.rare = &kLookAhead;  // deferred, even if few threads may take it
  create_task(bobbin::self(), spec);
  barrier_wait(bobbin::self());
  for (unsigned other = 0; other < shared.team->size; ++other) {
    MODEL_CHECK(shared.done[other] == 1);
  }
}

TEST(ModelTree, TasksEndBeforeTheBarrierOpens) {
  Result result = explore({.preemptions = 1, .stale_reads = 0}, [] {
    auto* world = make_world(Provider::Fiber);
    Thread& root = world->add_root();
    world->start_helper();
    execute(root, *make<Case>(), 3, task_and_barrier);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Some threads have come to the barrier when the region is cancelled, and it never opens. The next
// region begins with empty counters.
TEST(ModelTree, CancelledAtTheBarrier) {
  Result result = explore({.preemptions = 1, .stale_reads = 0}, [] {
    auto* world = make_world(Provider::Fiber);
    Thread& root = world->add_root();
    world->start_helper();
    auto* shared = make<Case>();
    auto cancel = [](Case& in, unsigned num) {
      if (num == 1) {
        barrier_cancel(*in.team);
      } else {
        barrier_wait(bobbin::self());
      }
    };
    shared->round++;
    shared->part = cancel;
    Team* team = assemble(root, 3, Icvs{});
    shared->team = team;
    fork(root, *team, &Case::run, shared);
    Case::run(shared);
    join(root, *team);
    execute(root, *shared, 3, write_and_meet);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A member that rests is adopted for a task that the last one of its group has made meanwhile.
TEST(ModelTree, RestingMembersAreAdopted) {
  Result result = explore({.preemptions = 1, .stale_reads = 0}, [] {
    auto* world = make_world(Provider::Fiber);
    Thread& root = world->add_root();
    world->start_helper();
    auto* shared = make<Case>();
    auto part = [](Case& in, unsigned num) {
      if (num != 2) return;
      JobOf<Case> job{&in, 2};
      TaskSpec spec = spec_of(job, &finish);
      spec.rare = &kLookAhead;
      create_task(bobbin::self(), spec);
    };
    execute(root, *shared, 3, part);
    MODEL_CHECK(shared->done[2] == 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
