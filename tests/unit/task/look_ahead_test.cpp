// SPDX-License-Identifier: Apache-2.0
// The number of dependent tasks that a maker makes before it helps to execute them.
#include <gtest/gtest.h>

#include <atomic>

#include "construct/regions/parallel.h"
#include "platform/clocks/clock.h"
#include "task/create/create.h"
#include "task/tuning/duration.h"
#include "task/wait/wait.h"

namespace bobbin {
namespace {

constexpr unsigned kReaders = 5000;

struct Counts {
  unsigned made = 0;
  std::atomic<unsigned> ended{0};
  unsigned most_pending = 0;
  std::atomic<bool> all_made{false};
};

// It takes almost no time, but its known duration is the given one.
template <unsigned kUs>
void work(void* data) {
  auto& counts = **static_cast<Counts**>(data);
  for (int i = 0; i < 64; i++) task_durations.add(work<kUs>, kUs * ticks_per_us());
  counts.ended.fetch_add(1);
}

void make_one(Counts& counts, TaskFunction function, DependKind kind) {
  Dependence dependence{8, kind};
  Counts* argument = &counts;
  TaskSpec spec;
  spec.function = function;
  spec.data = &argument;
  spec.size = sizeof(Counts*);
  spec.alignment = alignof(Counts*);
  spec.depend = {&dependence, 1};
  create_task(self(), spec);
  counts.made++;
  unsigned pending = counts.made - counts.ended.load();
  if (pending > counts.most_pending) counts.most_pending = pending;
}

struct Known {
  TaskFunction function;
  unsigned us;
};
template <unsigned kUs>
constexpr Known kTask{work<kUs>, kUs};

// One writer, for which the other thread has no time, and readers that wait for it.
unsigned most_pending(Known writer, Known reader) {
  Counts counts;
  for (Known known : {writer, reader}) {
    for (int i = 0; i < 64; i++) task_durations.add(known.function, known.us * ticks_per_us());
  }
  struct Region {
    Counts& counts;
    TaskFunction writer;
    TaskFunction reader;
  } region{counts, writer.function, reader.function};
  ParallelClauses clauses;
  clauses.num_threads = 2;
  parallel(
      [](void* data) {
        Region& made = *static_cast<Region*>(data);
        Counts& shared = made.counts;
        if (self().member->num != 0) {
          while (!shared.all_made.load()) cpu_pause();
          return;
        }
        make_one(shared, made.writer, DependKind::Out);
        for (unsigned i = 0; i < kReaders; i++) make_one(shared, made.reader, DependKind::In);
        shared.all_made.store(true);
        taskwait(self());
      },
      &region, clauses);
  EXPECT_EQ(counts.ended.load(), kReaders + 1);
  return counts.most_pending;
}

// A task that is interrupted while it is timed counts as long, so there are many attempts.
TEST(LookAhead, WhoIsFarAheadExecutesShortTasks) {
  unsigned least = kReaders;
  for (int i = 0; i < 200 && least >= 1100; i++) {
    unsigned pending = most_pending(kTask<2>, kTask<2>);
    if (pending < least) least = pending;
  }
  EXPECT_LT(least, 1100u);
}

TEST(LookAhead, NothingStopsItWhereTasksAreLong) {
  EXPECT_EQ(most_pending(kTask<500>, kTask<500>), kReaders + 1);
}

TEST(LookAhead, ItTakesNoLongTaskInPlaceOfAShortOne) {
  EXPECT_EQ(most_pending(kTask<500>, kTask<2>), kReaders + 1);
}

}  // namespace
}  // namespace bobbin
