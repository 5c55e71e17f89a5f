// SPDX-License-Identifier: Apache-2.0
// The time when tasks become ready: registration and release without any thread that runs them.
#include "task/depend/dependences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../construct/fake_team.h"
#include "no_more_memory.h"
#include "task/depend/table.h"
#include "task/model/extras.h"
#include "task/run/execute.h"
#include "task/run/schedule.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

constexpr auto kIn = DependKind::In;
constexpr auto kOut = DependKind::Out;
constexpr auto kMutex = DependKind::MutexInoutset;
constexpr auto kInout = DependKind::Inoutset;

// Tasks are named by letters, and addresses are small numbers.
class Depend : public ::testing::Test {
 protected:
  ~Depend() override {
    Task& parent = team_.thread(0).member->implicit;
    if (parent.extras != nullptr) release_extras(parent);
  }

  Thread& thread() { return team_.thread(0); }

  bool add(char name, std::vector<Dependence> items) {
    auto made = std::make_unique<Made>();
    made->name = name;
    made->task.kind = TaskKind::Deferred;
    made->task.parent = thread().task;
    made->task.depth = 1;
    made->task.extras = &made->extras;
    made->extras.team = &team_.team();
    Task& task = made->task;
    made_.push_back(std::move(made));
    bool ready = register_dependences(thread(), task, {items.data(), items.size()});
    if (ready) ready_.push_back(name);
    return ready;
  }

  // Completes the task. Returns the sorted names of the tasks that have become ready by it.
  std::string complete(char name) {
    std::string names;
    if (Task* task = make_ready_but_last(thread(), release_successors(thread(), find(name).task)))
      names += name_of(*task);
    while (Task* task = thread().member->tasks.deque().pop()) names += name_of(*task);
    std::sort(names.begin(), names.end());
    ready_ += names;
    return names;
  }

  // The task has completed, and its name may be reused.
  void forget(char name) {
    std::erase_if(made_, [&](auto& made) { return made->name == name; });
  }

  size_t members_of(uintptr_t address) {
    DependTable& table = *team_.thread(0).member->implicit.extras->table;
    size_t count = 0;
    for (DependLink* link = table.entries.find(address)->members; link != nullptr;) {
      link = link->next;
      count++;
    }
    return count;
  }

  void be_ready(char name) { make_ready(thread(), find(name).task); }
  bool acquire(char name) { return acquire_exclusion(find(name).task); }

  std::string ready_;  // all so far, in this order

 private:
  struct Made {
    char name;
    Task task;
    TaskExtras extras;
  };

  Made& find(char name) {
    for (auto& made : made_) {
      if (made->name == name) return *made;
    }
    abort();
  }
  char name_of(const Task& task) {
    for (auto& made : made_) {
      if (&made->task == &task) return made->name;
    }
    return '?';
  }

  test::FakeTeam team_{1};
  std::vector<std::unique_ptr<Made>> made_;
};

TEST_F(Depend, ChainsOfOut) {
  EXPECT_TRUE(add('a', {{8, kOut}}));
  EXPECT_FALSE(add('b', {{8, kOut}}));
  EXPECT_FALSE(add('c', {{8, kOut}}));
  EXPECT_EQ(complete('a'), "b");
  EXPECT_EQ(complete('b'), "c");
  EXPECT_EQ(complete('c'), "");
  EXPECT_TRUE(add('d', {{8, kOut}}));
}

TEST_F(Depend, OtherAddressesAreIndependent) {
  EXPECT_TRUE(add('a', {{8, kOut}}));
  EXPECT_TRUE(add('b', {{9, kOut}}));
  EXPECT_FALSE(add('c', {{9, kIn}, {8, kIn}}));
  EXPECT_EQ(complete('b'), "");
  EXPECT_EQ(complete('a'), "c");
}

TEST_F(Depend, ReadersWaitForTheWriterAndTheNextForAllReaders) {
  EXPECT_TRUE(add('a', {{8, kOut}}));
  for (char name = 'b'; name <= 'k'; name++) EXPECT_FALSE(add(name, {{8, kIn}}));
  EXPECT_FALSE(add('z', {{8, kOut}}));
  EXPECT_EQ(complete('a'), "bcdefghijk");
  for (char name = 'b'; name < 'k'; name++) EXPECT_EQ(complete(name), "");
  EXPECT_EQ(complete('k'), "z");
}

TEST_F(Depend, SetsOfTwoKindsFollowEachOther) {
  EXPECT_TRUE(add('a', {{8, kInout}}));
  EXPECT_TRUE(add('b', {{8, kInout}}));
  EXPECT_FALSE(add('c', {{8, kIn}}));
  EXPECT_FALSE(add('d', {{8, kIn}}));
  EXPECT_FALSE(add('e', {{8, kInout}}));
  EXPECT_EQ(complete('b'), "");
  EXPECT_EQ(complete('a'), "cd");
  EXPECT_FALSE(add('f', {{8, kInout}}));
  EXPECT_EQ(complete('c'), "");
  EXPECT_EQ(complete('d'), "ef");
  EXPECT_TRUE(add('g', {{8, kInout}}));
  EXPECT_FALSE(add('h', {{8, kOut}}));
}

// Some members of the previous set have completed when the next set opens.
TEST_F(Depend, SetAfterAHalfCompletedSet) {
  for (char name = 'a'; name <= 'd'; name++) EXPECT_TRUE(add(name, {{8, kIn}}));
  complete('b');
  complete('c');
  EXPECT_FALSE(add('e', {{8, kInout}}));
  EXPECT_FALSE(add('f', {{8, kInout}}));
  complete('a');
  EXPECT_EQ(complete('d'), "ef");
  EXPECT_TRUE(add('g', {{8, kInout}}));
  for (char name = 'e'; name <= 'g'; name++) complete(name);
  EXPECT_TRUE(add('h', {{8, kIn}}));
  EXPECT_TRUE(add('i', {{8, kIn}}));
}

TEST_F(Depend, TheSameAddressTwice) {
  EXPECT_TRUE(add('a', {{8, kOut}}));
  EXPECT_FALSE(add('b', {{8, kIn}, {8, kIn}, {8, kIn}}));
  EXPECT_FALSE(add('c', {{8, kIn}, {8, kOut}}));  // acts as out
  EXPECT_FALSE(add('d', {{8, kOut}, {8, kIn}}));  // acts as out
  EXPECT_FALSE(add('e', {{8, kIn}}));
  EXPECT_EQ(complete('a'), "b");
  EXPECT_EQ(complete('b'), "c");
  EXPECT_EQ(complete('c'), "d");
  EXPECT_EQ(complete('d'), "e");
}

TEST_F(Depend, TwoSetKindsOfOneAddress) {
  EXPECT_TRUE(add('a', {{8, kInout}}));
  EXPECT_TRUE(add('b', {{8, kInout}}));
  EXPECT_FALSE(add('c', {{8, kInout}, {8, kIn}}));
  EXPECT_FALSE(add('d', {{8, kIn}}));
  EXPECT_FALSE(add('e', {{8, kOut}}));
  complete('a');
  EXPECT_EQ(complete('b'), "c");
  EXPECT_EQ(complete('c'), "d");
  EXPECT_EQ(complete('d'), "e");
}

TEST_F(Depend, OnePredecessorForSeveralReasons) {
  EXPECT_TRUE(add('a', {{8, kOut}, {16, kOut}, {24, kIn}}));
  EXPECT_FALSE(add('b', {{8, kIn}, {16, kIn}, {24, kOut}}));
  EXPECT_EQ(complete('a'), "b");
}

TEST_F(Depend, AllMemoryIsBetweenEverything) {
  EXPECT_TRUE(add('a', {{8, kOut}}));
  EXPECT_TRUE(add('b', {{16, kIn}}));
  EXPECT_TRUE(add('c', {{16, kIn}}));
  EXPECT_FALSE(add('d', {{8, kIn}, {0, kOut}}));
  EXPECT_FALSE(add('e', {{8, kIn}}));
  EXPECT_FALSE(add('f', {{999, kIn}}));
  EXPECT_FALSE(add('g', {{999, kInout}}));
  EXPECT_FALSE(add('h', {{0, kOut}}));
  EXPECT_FALSE(add('i', {{999, kOut}}));
  complete('a');
  complete('b');
  EXPECT_EQ(complete('c'), "d");
  EXPECT_EQ(complete('d'), "ef");
  EXPECT_EQ(complete('f'), "g");
  complete('g');
  EXPECT_EQ(complete('e'), "h");
  EXPECT_EQ(complete('h'), "i");
  complete('i');
  EXPECT_TRUE(add('j', {{0, kOut}}));
}

TEST_F(Depend, NullOfOtherKindsIsAnAddress) {
  EXPECT_TRUE(add('a', {{8, kOut}}));
  EXPECT_TRUE(add('b', {{0, kIn}}));
  EXPECT_TRUE(add('c', {{0, kIn}}));
  EXPECT_FALSE(add('d', {{0, kInout}}));
  complete('b');
  EXPECT_EQ(complete('c'), "d");
}

TEST_F(Depend, MutexMembersExcludeEachOther) {
  EXPECT_TRUE(add('a', {{8, kMutex}}));
  EXPECT_TRUE(add('b', {{8, kMutex}}));
  EXPECT_TRUE(add('c', {{8, kMutex}}));
  EXPECT_FALSE(add('d', {{8, kIn}}));
  EXPECT_TRUE(acquire('b'));
  EXPECT_FALSE(acquire('a'));
  EXPECT_FALSE(acquire('c'));
  EXPECT_EQ(complete('b'), "a");
  EXPECT_TRUE(acquire('a'));
  EXPECT_EQ(complete('a'), "c");
  EXPECT_TRUE(acquire('c'));
  EXPECT_EQ(complete('c'), "d");
  EXPECT_TRUE(acquire('d'));
}

TEST_F(Depend, SeveralExclusionsAreTakenTogether) {
  EXPECT_TRUE(add('a', {{8, kMutex}, {8, kMutex}}));
  EXPECT_TRUE(add('b', {{16, kMutex}}));
  EXPECT_TRUE(add('c', {{8, kMutex}, {16, kMutex}}));
  EXPECT_TRUE(add('d', {{16, kMutex}, {8, kMutex}}));
  EXPECT_TRUE(acquire('a'));
  EXPECT_TRUE(acquire('b'));
  EXPECT_FALSE(acquire('c'));
  EXPECT_FALSE(acquire('d'));
  EXPECT_EQ(complete('a'), "");  // c still waits for the other one
  EXPECT_EQ(complete('b').size(), 1u);
  char next = ready_.back();
  char last = next == 'c' ? 'd' : 'c';
  EXPECT_TRUE(acquire(next));
  EXPECT_EQ(complete(next), std::string(1, last));
  EXPECT_TRUE(acquire(last));
  EXPECT_EQ(complete(last), "");
}

// Without memory for the queue, a task that becomes ready begins at once, but never at the same
// time as a task that excludes it.
TEST_F(Depend, MutexMembersExcludeEachOtherWithoutAQueue) {
  if (!test::NoMoreMemory::possible()) GTEST_SKIP();
  EXPECT_TRUE(add('a', {{8, kMutex}}));
  EXPECT_TRUE(add('b', {{8, kMutex}}));
  EXPECT_TRUE(acquire('a'));
  Deque<Task>& queue = thread().member->tasks.deque();
  Task filler;
  // More than the allocator has available.
  for (int i = 0; i < 1'000'000; i++) ASSERT_TRUE(queue.push(&filler));
  {
    test::NoMoreMemory scope;
    while (queue.push(&filler)) continue;
    be_ready('b');
  }
  while (queue.pop() != nullptr) continue;
  EXPECT_EQ(complete('a'), "b");
}

// An address that is only ever read does not keep every reader that there has been.
TEST_F(Depend, CompletedReadersAreForgotten) {
  for (int round = 0; round < 10000; round++) {
    ASSERT_TRUE(add('r', {{8, kIn}}));
    complete('r');
    forget('r');
  }
  for (char name = 'a'; name <= 'f'; name++) EXPECT_TRUE(add(name, {{8, kIn}}));
  EXPECT_LT(members_of(8), 100u);
  EXPECT_FALSE(add('z', {{8, kOut}}));
  for (char name = 'a'; name < 'f'; name++) EXPECT_EQ(complete(name), "");
  EXPECT_EQ(complete('f'), "z");
}

TEST_F(Depend, ManyDependencesOfOneTask) {
  std::vector<Dependence> all;
  for (uintptr_t i = 1; i <= 300; i++) all.push_back({i * 64, kIn});
  std::string names;
  for (char name = 'a'; name <= 'z'; name++) {
    std::vector<Dependence> some(all.begin() + (name - 'a'), all.begin() + (name - 'a') + 20);
    EXPECT_TRUE(add(name, some));
  }
  for (Dependence& item : all) item.kind = kOut;
  EXPECT_FALSE(add('!', all));
  EXPECT_FALSE(add('#', all));
  for (char name = 'a'; name < 'z'; name++) EXPECT_EQ(complete(name), "");
  EXPECT_EQ(complete('z'), "!");
  EXPECT_EQ(complete('!'), "#");
}

}  // namespace
}  // namespace bobbin
