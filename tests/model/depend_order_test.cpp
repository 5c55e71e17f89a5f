// SPDX-License-Identifier: Apache-2.0
// Registering a dependent task against the completion of its predecessors.
#include "task/depend/order.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Node;

struct Link {
  Var<Link*> next{nullptr};
  Var<Node*> node{nullptr};
};

struct Node {
  Inbox<Link, &Link::next> successors;
  Atomic<uint32_t> blockers{0};
  Atomic<int>* waiter = nullptr;  // stands for a thread that is resumed or not
  const Node* follows = nullptr;  // the task whose work it must see
  Var<int> work{0};               // the task's work
  Var<int> made_ready{0};         // written by its owner; two owners would be a race
  Atomic<int> completed{0};
  Link links[3];
};

struct Graph {
  Node nodes[5];
};

void run(Node& node);

// The runtime's action when it finds that nothing blocks a node.
void make_ready(Node& node) {
  node.made_ready = node.made_ready + 1;
  run(node);
}

void run(Node& node) {
  if (node.follows != nullptr) MODEL_CHECK(node.follows->work == 1);
  node.work = node.work + 1;
  node.completed.store(1, relaxed);
  complete_node(node, [](Node& successor) {
    if (give_back(successor, 1)) make_ready(successor);
  });
}

// As in the runtime: predecessors that are seen to have completed are not counted.
bool enter(Node& node, Node* const* all, int count) {
  Node* found[3];
  uint32_t open = 0;
  for (int i = 0; i < count; i++) {
    if (all[i]->successors.closed()) {
      MODEL_CHECK(all[i]->work == 1);
    } else {
      found[open++] = all[i];
    }
  }
  return register_with(node, open, [&](uint32_t i, Node*& predecessor) {
    predecessor = found[i];
    return &node.links[i];
  });
}

// Checks that the node ran once, after its predecessors.
void expect_ran(Node& node) {
  MODEL_CHECK(node.work == 1);
  MODEL_CHECK(node.made_ready == 1);
}

// One thread registers a task with two predecessors, which two other threads complete.
TEST(ModelDependOrder, TwoPredecessors) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* g = make<Graph>();
    for (int i = 0; i < 2; ++i) spawn([=] { run(g->nodes[i]); });
    Node* all[] = {&g->nodes[0], &g->nodes[1]};
    if (enter(g->nodes[2], all, 2)) {
      MODEL_CHECK(g->nodes[0].work == 1 && g->nodes[1].work == 1);
      make_ready(g->nodes[2]);
    }
    join_all();
    expect_ran(g->nodes[2]);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A chain of three: the middle task completes in the thread where it becomes ready, while the last
// one is registered.
TEST(ModelDependOrder, Chain) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* g = make<Graph>();
    spawn([=] { run(g->nodes[0]); });
    Node* first[] = {&g->nodes[0]};
    if (enter(g->nodes[1], first, 1)) make_ready(g->nodes[1]);
    Node* second[] = {&g->nodes[1]};
    if (enter(g->nodes[2], second, 1)) make_ready(g->nodes[2]);
    join_all();
    expect_ran(g->nodes[1]);
    expect_ran(g->nodes[2]);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A diamond: two tasks between a first and a last one.
TEST(ModelDependOrder, Diamond) {
  Result result = explore({.preemptions = 2, .stale_reads = 2}, [] {
    auto* g = make<Graph>();
    spawn([=] { run(g->nodes[0]); });
    Node* first[] = {&g->nodes[0]};
    bool ready[2];
    for (int i = 0; i < 2; ++i) ready[i] = enter(g->nodes[1 + i], first, 1);
    if (ready[0]) spawn([=] { make_ready(g->nodes[1]); });
    Node* middle[] = {&g->nodes[1], &g->nodes[2]};
    if (enter(g->nodes[3], middle, 2)) make_ready(g->nodes[3]);
    if (ready[1]) make_ready(g->nodes[2]);
    join_all();
    for (int i = 1; i < 4; ++i) expect_ran(g->nodes[i]);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// The exit of a transparent task (task/depend/transparent.h). The thread that ends the task
// registers the exit with the last tasks of the task's children, which may complete now. Meanwhile
// the parent's thread registers later tasks with the exit.
TEST(ModelDependOrder, ExitRegisteredWhileOthersRegisterWithIt) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* g = make<Graph>();
    Node& last_inside = g->nodes[0];
    Node& exit = g->nodes[1];
    exit.follows = g->nodes[2].follows = g->nodes[3].follows = &last_inside;
    spawn([&] { run(last_inside); });
    spawn([&] {
      Node* before[] = {&last_inside};
      if (enter(exit, before, 1)) make_ready(exit);
    });
    for (int i = 2; i < 4; ++i) {
      Node* before[] = {&exit};
      if (enter(g->nodes[i], before, 1)) make_ready(g->nodes[i]);
    }
    join_all();
    for (int i = 1; i < 4; ++i) expect_ran(g->nodes[i]);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A node is reused when it has completed and no thread can register with it any more.
TEST(ModelDependOrder, Recycling) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* g = make<Graph>();
    spawn([=] { run(g->nodes[0]); });
    Node* first[] = {&g->nodes[0]};
    if (enter(g->nodes[1], first, 1)) make_ready(g->nodes[1]);
    if (g->nodes[0].successors.closed()) {
      Node& again = g->nodes[0];
      again.successors.reopen();
      again.blockers.store(0, relaxed);
      again.work = 0;
      Node* second[] = {&g->nodes[1]};
      if (enter(again, second, 1)) make_ready(again);
      join_all();
      expect_ran(again);
    }
    join_all();
    expect_ran(g->nodes[1]);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A successor is reused, including its links, while the thread that made it ready may still use it.
TEST(ModelDependOrder, RecycledSuccessor) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* g = make<Graph>();
    spawn([=] { run(g->nodes[0]); });
    Node* first[] = {&g->nodes[0]};
    Node& again = g->nodes[1];
    if (enter(again, first, 1)) make_ready(again);
    if (again.successors.closed()) {
      again.successors.reopen();
      again.blockers.store(0, relaxed);
      again.work = 0;
      again.made_ready = 0;
      Node* second[] = {&g->nodes[2]};
      if (enter(again, second, 1)) make_ready(again);
      run(g->nodes[2]);
    }
    join_all();
    expect_ran(again);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A thread that waits for two tasks: it announces itself, looks again and sleeps, as in await().
TEST(ModelDependOrder, Waiter) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* g = make<Graph>();
    auto* resumed = make<Atomic<int>>(0);
    Node& waiter = g->nodes[2];
    waiter.waiter = resumed;
    for (int i = 0; i < 2; ++i) {
      spawn([=] {
        g->nodes[i].work = 1;
        complete_node(g->nodes[i], [](Node& successor) {
          if (Atomic<int>* sleeper = give_back_to_waiter(successor)) sleeper->store(1, release);
        });
      });
    }
    Node* all[] = {&g->nodes[0], &g->nodes[1]};
    if (!enter(waiter, all, 2)) {
      auto left = [&] { return waiter.blockers.load(acquire) & ~kWaiter; };
      if (left() != 0) {
        waiter.blockers.fetch_or(kWaiter, acq_rel);
        fence(seq_cst);
        if (left() != 0) {
          while (resumed->load(acquire) == 0) cpu_pause();
        }
      }
      MODEL_CHECK(left() == 0);
    }
    MODEL_CHECK(g->nodes[0].work == 1 && g->nodes[1].work == 1);
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
