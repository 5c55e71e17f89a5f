// SPDX-License-Identifier: Apache-2.0
// Random graphs of dependent tasks, executed by real teams, compared with the order that the
// specification demands of each pair.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <vector>

#include "construct/regions/parallel.h"
#include "platform/processors/cpu_set.h"
#include "random_item.h"
#include "task/create/create.h"
#include "task/tuning/duration.h"
#include "team/members/barrier.h"

namespace bobbin {
namespace {

struct Item : RandomItem {
  int children = 0;
};

struct Graph {
  std::vector<Item> items;
  std::atomic<int> now{1};
};

struct Argument {
  Graph* graph;
  Item* item;
};

void run(const Argument& argument, int pauses) {
  Item& item = *argument.item;
  item.begin = argument.graph->now.fetch_add(1);
  for (int i = 0; i < item.children; i++) {
    TaskSpec spec;
    spec.function = [](void*) {};
    create_task(self(), spec);
  }
  for (int i = 0; i < pauses; i++) cpu_pause();
  item.end = argument.graph->now.fetch_add(1);
}

void run_item(void* data) { run(*static_cast<Argument*>(data), 20); }
void run_brief_item(void* data) { run(*static_cast<Argument*>(data), 0); }

void make_all(Graph& graph) {
  for (Item& item : graph.items) {
    make_item(item, graph.now, item.brief ? run_brief_item : run_item, Argument{&graph, &item},
              [] {});
  }
}

// Must the tasks follow each other?
bool ordered(const Item& a, const Item& b) {
  if (a.maker == Maker::Wait) return false;  // no task waits for a wait
  for (const Dependence& x : a.depend) {
    for (const Dependence& y : b.depend) {
      if (all_memory(x) || all_memory(y)) return true;
      if (x.address == y.address && (x.kind != y.kind || x.kind == DependKind::Out)) return true;
    }
  }
  return false;
}

bool exclusive(const Item& a, const Item& b) {
  if (a.maker == Maker::Wait || b.maker == Maker::Wait) return false;
  for (const Dependence& x : a.depend) {
    for (const Dependence& y : b.depend) {
      if (x.address == y.address && x.kind == y.kind && x.kind == DependKind::MutexInoutset) {
        return true;
      }
    }
  }
  return false;
}

Graph* make_graph(unsigned seed) {
  std::minstd_rand random(seed);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() >> 8) % n; };
  auto* graph = new Graph;
  unsigned addresses = 1 + below(8);
  unsigned most = 1 + below(below(10) == 0 ? 40 : 5);
  unsigned variety = 1 + below(4);  // number of kinds that occur
  bool with_waits = below(3) == 0;
  bool with_all = below(3) == 0;
  unsigned brief = below(3);  // none, half, all
  graph->items.resize(100 + below(200));
  for (Item& item : graph->items) {
    unsigned count = 1 + below(most);
    for (unsigned i = 0; i < count; i++) {
      auto kind = static_cast<DependKind>((below(variety) + seed) % 4);
      item.depend.push_back({8 * (1 + uintptr_t{below(addresses)}), kind});
    }
    if (with_all && below(30) == 0) item.depend.push_back({0, DependKind::Out});
    if (with_waits && below(20) == 0) item.maker = Maker::Wait;
    if (with_waits && below(20) == 1) item.maker = Maker::Undeferred;
    item.brief = below(2) < brief;
    item.children = below(8) == 0 ? 3 : 0;
  }
  return graph;
}

void check(const Graph& graph, unsigned seed) {
  for (size_t j = 0; j < graph.items.size(); j++) {
    const Item& b = graph.items[j];
    ASSERT_NE(b.end, 0) << "seed " << seed << ", task " << j << " did not run";
    for (size_t i = 0; i < j; i++) {
      const Item& a = graph.items[i];
      if (ordered(a, b)) {
        ASSERT_LT(a.end, b.begin) << "seed " << seed << ", tasks " << i << " and " << j;
      } else if (exclusive(a, b)) {
        ASSERT_TRUE(a.end < b.begin || b.end < a.begin)
            << "seed " << seed << ", tasks " << i << " and " << j << " at the same time";
      }
    }
  }
}

void run(unsigned threads, unsigned rounds) {
  for (unsigned seed = 1; seed <= rounds && !::testing::Test::HasFatalFailure(); seed++) {
    Graph* graph = make_graph(seed + 1000 * threads);
    ParallelClauses clauses;
    clauses.num_threads = threads;
    for (int i = 0; i < 64; i++) task_durations.add(run_brief_item, 1);
    parallel(
        [](void* data) {
          if (self().member->num == 0) make_all(*static_cast<Graph*>(data));
          barrier_wait(self());
        },
        graph, clauses);
    check(*graph, seed + 1000 * threads);
    delete graph;
  }
}

TEST(DependRandom, OneThread) { run(1, 100); }
TEST(DependRandom, TwoThreads) { run(2, 300); }
TEST(DependRandom, FourThreads) { run(4, 200); }
TEST(DependRandom, ThirtyThreeThreads) { run(33, 60); }

}  // namespace
}  // namespace bobbin
