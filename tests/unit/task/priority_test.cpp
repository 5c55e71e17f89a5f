// SPDX-License-Identifier: Apache-2.0
#include "task/run/priority.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <memory>
#include <random>
#include <vector>

namespace bobbin {
namespace {

struct Item {
  Task task;
  TaskExtras extras;
};

// The order that the header describes, found by a linear search.
class Expected {
 public:
  void push(Task& task) {
    for (auto& family : families_) {
      const Task& first = *family.front();
      if (task.in_order || first.parent != task.parent || priority(first) != priority(task)) {
        continue;
      }
      family.push_back(&task);
      return;
    }
    const auto lower = std::find_if(families_.begin(), families_.end(), [&](const auto& family) {
      return priority(*family.front()) < priority(task);
    });
    families_.insert(lower, {&task});
  }

  template <class Fits>
  Task* pop(Fits&& fits) {
    const auto family = std::find_if(families_.begin(), families_.end(),
                                     [&](const auto& some) { return fits(some.front()); });
    if (family == families_.end()) return nullptr;
    Task* task = family->front();
    family->erase(family->begin());
    if (family->empty()) families_.erase(family);
    return task;
  }

  Task* child_of(const Task& parent) {
    for (auto& family : families_) {
      const Task& first = *family.front();
      if (first.parent == &parent && !first.in_order) return family.front();
    }
    return nullptr;
  }

 private:
  static int priority(const Task& task) { return task.extras->priority; }
  std::list<std::vector<Task*>> families_;
};

void compare(bool in_order) {
  constexpr size_t kParents = 40;
  std::minstd_rand random(in_order ? 2 : 1);
  std::vector<Task> parents(kParents);
  std::vector<std::unique_ptr<Item>> items;
  SharedQueue queue;
  Expected expected;
  auto draw = [&](size_t below) { return static_cast<size_t>(random()) % below; };
  auto pop = [&](auto&& fits) {
    Task* task = find_in_order(queue, fits);
    ASSERT_EQ(task, expected.pop(fits));
    if (task != nullptr) remove_found(queue, *task);
  };
  for (int turn = 0; turn < 20'000; turn++) {
    const Task* parent = &parents[draw(kParents)];
    // The queue alternately grows and shrinks.
    if (draw(100) < (turn / 500 % 2 == 0 ? 70 : 40)) {
      items.push_back(std::make_unique<Item>());
      Task& task = items.back()->task;
      task.parent = const_cast<Task*>(parent);
      task.in_order = in_order;
      task.extras = &items.back()->extras;
      task.extras->priority = static_cast<int>(draw(4));
      push_by_priority(queue, task);
      expected.push(task);
    } else if (draw(2) == 0) {
      pop([](const Task*) { return true; });
    } else {
      if (!in_order) {
        ASSERT_EQ(family_of_children(queue, *parent), expected.child_of(*parent));
      }
      pop([&](const Task* task) { return task->parent == parent; });
    }
  }
  while (!queue.empty()) pop([](const Task*) { return true; });
  EXPECT_EQ(expected.pop([](const Task*) { return true; }), nullptr);
  EXPECT_EQ(queue.size.load(relaxed), 0);
  EXPECT_EQ(queue.by_order, nullptr);
  EXPECT_EQ(queue.by_parent, nullptr);
}

TEST(Priority, FamiliesComeInOrder) { compare(false); }
TEST(Priority, TransparentTasksComeAsTheyWereMade) { compare(true); }

// If each task passed all others, this would take hours.
TEST(Priority, OneOfMillionsFindsItsPlaceInFewSteps) {
#if defined(__SANITIZE_THREAD__)  // it takes a hundred times as long
  constexpr int kMany = 50'000;
#else
  constexpr int kMany = 1'000'000;
#endif
  const auto items = std::make_unique<Item[]>(kMany);
  Task parent;
  // Alternately higher and lower ones, which in the end leave no room between them; ascending;
  // descending.
  for (auto priority_of : {+[](int i) { return i % 2 == 0 ? i : kMany - i; },
                           +[](int i) { return i; }, +[](int i) { return kMany - i; }}) {
    SharedQueue queue;
    for (int i = 0; i < kMany; i++) {
      Item& item = items[i];
      item.task.parent = &parent;
      item.task.extras = &item.extras;
      item.extras.priority = priority_of(i);
      push_by_priority(queue, item.task);
    }
    int last = kMany;
    for (int i = 0; i < kMany; i++) {
      Task* task = family_of_children(queue, parent);
      ASSERT_EQ(task, find_in_order(queue, [](const Task*) { return true; }));
      ASSERT_LE(task->extras->priority, last);
      last = task->extras->priority;
      remove_found(queue, *task);
    }
    EXPECT_TRUE(queue.empty());
  }
}

}  // namespace
}  // namespace bobbin
