// SPDX-License-Identifier: Apache-2.0
// The edges of a recorded graph, against the rules of the depend clause.
#include "task/depend/task_record.h"

#include <gtest/gtest.h>

#include <random>
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
      RecordedTask task{};
      EXPECT_NE(recorder.add(task, {depend.data(), depend.size()}), nullptr);
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
    const RecordedTask* task = record.tasks + from;
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
    ASSERT_EQ(graph.record.tasks[i].predecessors, predecessors[i]);
  }
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
  int data = 0;
  TaskRecorder recorder;
  RecordedTask task{};
  task.size = sizeof data;
  task.alignment = 256;
  task.priority = 7;
  const Dependence dependence{1, DependKind::Out};
  RecordedTask* added = recorder.add(task, {&dependence, 1});
  ASSERT_NE(added, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(added->saved) % 256, 0u);
  EXPECT_EQ(added->priority, 7);
}

}  // namespace
}  // namespace bobbin
