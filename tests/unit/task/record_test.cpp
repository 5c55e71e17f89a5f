// SPDX-License-Identifier: Apache-2.0
// The edges of a recorded graph, against the rules of the depend clause, and its division into
// units.
#include "platform/clocks/clock.h"
#include "task/graph/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace bobbin {
namespace {

constexpr uintptr_t kAddresses = 4;
using Dependences = std::vector<Dependence>;

bool names_everything(const Dependence& one) {
  return one.address == 0 && one.kind == DependKind::Out;
}

bool must_follow(const Dependences& later, const Dependences& earlier) {
  for (const Dependence& a : later) {
    for (const Dependence& b : earlier) {
      const bool is_one_set = a.kind == b.kind && is_shared(a.kind);
      if (names_everything(a) || names_everything(b)) return true;
      if (a.address == b.address && !is_one_set) return true;
    }
  }
  return false;
}

struct Graph {
  explicit Graph(const std::vector<Dependences>& tasks) {
    TaskRecorder recorder;
    for (const Dependences& depend : tasks) {
      TaskSpec spec;
      spec.depend = {depend.data(), depend.size()};
      EXPECT_NE(recorder.add(spec), nullptr);
    }
    record = recorder.finish();
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { record.free(); }

  // follows[j][i]: is there a way from i to j?
  std::vector<std::vector<bool>> closure() const {
    std::vector<std::vector<bool>> follows(record.count, std::vector<bool>(record.count));
    for (uint32_t from = 0; from < record.count; from++) {
      for_each_successor(from, [&](uint32_t to) {
        follows[to][from] = true;
        for (uint32_t i = 0; i < from; i++) {
          if (follows[from][i]) follows[to][i] = true;
        }
      });
    }
    return follows;
  }

  template <class Visit>
  void for_each_successor(uint32_t from, Visit&& visit) const {
    const RecordedPlace* task = record.places + from;
    for (uint32_t i = task->first_successor; i < task[1].first_successor; i++) {
      visit(record.successors[i]);
    }
  }

  TaskRecord record;
};

// All ways go through tasks that are ordered by the clauses, and no order is missing.
void check(const std::vector<Dependences>& tasks) {
  const Graph graph(tasks);
  ASSERT_EQ(graph.record.count, tasks.size());
  const auto follows = graph.closure();
  std::vector<uint32_t> predecessors(tasks.size());
  for (uint32_t from = 0; from < tasks.size(); from++) {
    graph.for_each_successor(from, [&](uint32_t to) {
      predecessors[to]++;
      ASSERT_LT(from, to);
      ASSERT_TRUE(must_follow(tasks[to], tasks[from])) << from << " before " << to;
    });
    for (uint32_t to = from + 1; to < tasks.size(); to++) {
      ASSERT_TRUE(!must_follow(tasks[to], tasks[from]) || follows[to][from])
          << from << " before " << to;
    }
  }
  for (uint32_t i = 0; i < tasks.size(); i++) {
    ASSERT_EQ(graph.record.places[i].predecessors, predecessors[i]);
  }
}

// The units are the tasks in their order, and follow each other as the tasks do.
void check_plan(const TaskRecord& record, const std::vector<uint64_t>& durations, uint64_t most) {
  ReplayPlan plan = make_plan(record, durations.data(), most);
  ASSERT_TRUE(plan.made());
  std::vector<uint32_t> unit_of(record.count);
  std::set<std::pair<uint32_t, uint32_t>> wanted, found;
  uint32_t task = 0;
  for (uint32_t i = 0; i < plan.count; i++) {
    const ReplayUnit& unit = plan.units[i];
    ASSERT_EQ(unit.first, task);
    uint64_t length = 0;
    for (; task < unit.last; task++) {
      unit_of[task] = i;
      length += std::min(durations[task], most);
    }
    ASSERT_TRUE(unit.is_single() || length <= most);
  }
  ASSERT_EQ(task, record.count);
  for (uint32_t from = 0; from < record.count; from++) {
    for (uint32_t i = record.places[from].first_successor;
         i < record.places[from + 1].first_successor; i++) {
      const uint32_t to = unit_of[record.successors[i]];
      if (to != unit_of[from]) wanted.insert({unit_of[from], to});
    }
  }
  std::vector<uint32_t> predecessors(plan.count);
  for (uint32_t from = 0; from < plan.count; from++) {
    for (uint32_t i = plan.units[from].first_successor; i < plan.units[from + 1].first_successor;
         i++) {
      ASSERT_TRUE(found.insert({from, plan.successors[i]}).second);
      predecessors[plan.successors[i]]++;
    }
  }
  ASSERT_EQ(found, wanted);
  for (uint32_t i = 0; i < plan.count; i++) ASSERT_EQ(plan.units[i].predecessors, predecessors[i]);
  plan.free();
}

TEST(ReplayPlan, RandomDurations) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; round++) {
    std::vector<Dependences> tasks(random() % 60);
    std::vector<uint64_t> durations;
    for (Dependences& depend : tasks) {
      depend.resize(random() % 3);
      for (Dependence& one : depend)
        one = {1 + random() % 9, static_cast<DependKind>(random() % 4)};
      durations.push_back(random() % 50);
    }
    const Graph graph(tasks);
    check_plan(graph.record, durations, 1 + random() % 200);
    if (HasFatalFailure()) return;
  }
}

TEST(ReplayPlan, LongestUnit) {
  const auto longest = [](uint32_t tasks, uint64_t ns, unsigned threads) {
    const std::vector<uint64_t> durations(tasks, ns * ticks_per_us() / 1000);
    return longest_unit(durations.data(), tasks, threads) / ticks_per_us();
  };
  EXPECT_GE(longest(128, 50, 2), 6u);  // a graph of 6.4 us is one unit
  EXPECT_EQ(longest(1000, 50, 16), 1u);
  EXPECT_EQ(longest(10000, 50, 2), 4u);
  EXPECT_EQ(longest(100, 1000, 2), 4u);
}

TEST(ReplayPlan, SingleTasks) {
  const Graph graph({{{1, DependKind::Out}}, {{1, DependKind::In}}, {}});
  ReplayPlan plan = make_plan(graph.record, nullptr, 1);
  ASSERT_EQ(plan.count, 3u);
  for (uint32_t i = 0; i < 3; i++) EXPECT_TRUE(plan.units[i].is_single());
  EXPECT_EQ(plan.units[1].predecessors, 1u);
  plan.free();
}

TEST(TaskRecord, Empty) { check({}); }

TEST(TaskRecord, RandomDependences) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; round++) {
    std::vector<Dependences> tasks(random() % 40);
    for (Dependences& depend : tasks) {
      depend.resize(random() % 4);
      for (Dependence& one : depend) {
        // mutexinoutset: one after the other in the order in which they were recorded.
        one = {1 + random() % kAddresses, static_cast<DependKind>(random() % 4)};
        if (random() % 40 == 0) one = {0, DependKind::Out};
      }
    }
    check(tasks);
    if (HasFatalFailure()) return;
  }
}

TEST(TaskRecord, ManyAddresses) {
  std::vector<Dependences> tasks;
  for (uintptr_t i = 1; i <= 500; i++) tasks.push_back({{i, DependKind::Out}});
  for (uintptr_t i = 1; i <= 500; i++) tasks.push_back({{i, DependKind::In}});
  check(tasks);
}

TEST(TaskRecord, KeepsWhatTasksNeed) {
  TaskRecorder recorder;
  const Dependence dependence{1, DependKind::Out};
  for (size_t size : {0, 1, 100, 500, 600, 1 << 20, 8}) {
    TaskSpec spec;
    spec.size = size;
    spec.alignment = 256;
    spec.priority = 7;
    spec.depend = {&dependence, 1};
    RecordedTask* task = recorder.add(spec);
    ASSERT_NE(task, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(task->saved) % 256, 0u);
    memset(task->saved, static_cast<int>(size & 63), size);
    EXPECT_FALSE(task->on_stack);
  }
  TaskRecord record = recorder.finish();
  for (uint32_t i = 0; i < record.count; i++) {
    const auto* saved = static_cast<const unsigned char*>(record.tasks[i].saved);
    for (size_t j = 0; j < record.tasks[i].size; j++)
      ASSERT_EQ(saved[j], record.tasks[i].size & 63);
    EXPECT_EQ(record.places[i].priority, 7);
    EXPECT_EQ(record.places[i].apart % 256, 0u);
    EXPECT_LE(record.places[i].apart + record.tasks[i].size, record.bytes_apart);
  }
  record.free();
}

TEST(TaskRecord, ConstantData) {
  TaskRecorder recorder;
  TaskSpec spec;
  spec.size = 1 << 20;
  RareSpec rare{.constant_data = true};
  spec.rare = &rare;
  const RecordedTask* task = recorder.add(spec);
  ASSERT_NE(task, nullptr);
  EXPECT_TRUE(task->constant);
  EXPECT_EQ(recorder.record().bytes_apart, 0u);  // no execution makes a copy
  rare.relocate = [](void*, void*) {};
  task = recorder.add(spec);
  ASSERT_NE(task, nullptr);
  EXPECT_FALSE(task->constant);
  EXPECT_EQ(recorder.record().bytes_apart, spec.size);
}

}  // namespace
}  // namespace bobbin
