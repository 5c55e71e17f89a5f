// SPDX-License-Identifier: Apache-2.0
#include "team/queues/task_queue.h"
#include "team/queues/data_lists.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bobbin {
namespace {

using Queue = TaskQueue<int>;
constexpr QueueKind kKinds[] = {QueueKind::Deque, QueueKind::Locked, QueueKind::Combining,
                                QueueKind::Data};
DataLists<int> lists;
constexpr DataNames kNames{1, 2};

// They are static, because their allocations are never freed: as long as they exist that is no
// leak.
Queue whole[8];
Queue* const interrupted = whole + 4;

bool push(Queue& queue, int& item) { return queue.push(&item, kNames); }

int* take(Queue& queue) {
  return queue.take(QueueEnd::Oldest, [](const int*) { return true; });
}

void use(Queue& queue, QueueKind kind) {
  const auto cache = static_cast<unsigned>(&queue - whole);
  queue.use(kind, kind == QueueKind::Data ? lists.of(cache) : nullptr);
}

// The actions of a child that finds so many items in the queue, at which other threads may have
// been.
bool goes_on(Queue& queue, QueueKind kind, int expected) {
  queue.go_on_alone();
  lists.go_on_alone([&](const DataQueue<int>& list) { queue.abandon(list); });
  int found = 0;
  while (take(queue) != nullptr) found++;
  if (found != expected) return false;
  use(queue, kind);
  int item = 0;
  return push(queue, item) && queue.size() == 1 && take(queue) == &item;
}

bool ends_well(pid_t child) {
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

TEST(TaskQueue, IsWholeInAChildIfNobodyWasAtIt) {
  for (QueueKind kind : kKinds) {
    Queue& queue = whole[static_cast<int>(kind)];
    use(queue, kind);
    int items[3];
    for (int& item : items) ASSERT_TRUE(push(queue, item));
    const pid_t child = fork();
    if (child == 0) {
      alarm(600);  // otherwise it would wait for ever
      _exit(goes_on(queue, kind, 3) ? 0 : 1);
    }
    EXPECT_TRUE(ends_well(child)) << static_cast<int>(kind);
  }
}

// A thread that was taking from it when the process forked does not exist in the child.
TEST(TaskQueue, IsFreeInAChild) {
  for (QueueKind kind : kKinds) {
    if (kind == QueueKind::Deque) continue;  // threads take from it without excluding each other
    Queue& queue = interrupted[static_cast<int>(kind)];
    use(queue, kind);
    int items[3];
    for (int& item : items) ASSERT_TRUE(push(queue, item));
    pid_t child = -1;
    int* taken = queue.take(QueueEnd::Oldest, [&](const int*) {
      child = fork();
      if (child != 0) return true;
      alarm(600);
      _exit(goes_on(queue, kind, 0) ? 0 : 1);
    });
    EXPECT_EQ(taken, &items[0]);
    EXPECT_TRUE(ends_well(child)) << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace bobbin
