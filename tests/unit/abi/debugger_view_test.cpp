// SPDX-License-Identifier: Apache-2.0
// The table for debuggers says what the runtime's data are, also where no offsetof can be sure.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

#include "construct/locks/lock.h"
#include "task/depend/node.h"
#include "team/model/root.h"

// As gdb sees it.
struct Entry {
  const char* name;
  uint64_t value;
};
extern "C" const Entry bobbin_debugger_v1[];

namespace bobbin {
namespace {

class DebuggerViewTest : public ::testing::Test {
 protected:
  DebuggerViewTest() {
    for (const Entry* entry = bobbin_debugger_v1; entry->name != nullptr; entry++) {
      EXPECT_TRUE(values_.emplace(entry->name, entry->value).second) << entry->name;
    }
  }

  uint64_t operator[](const char* name) const { return values_.at(name); }

  template <class T>
  T read(const void* object, const char* name) const {
    T value;
    memcpy(&value, static_cast<const char*>(object) + (*this)[name], sizeof value);
    return value;
  }

  std::map<std::string, uint64_t> values_;
};

TEST_F(DebuggerViewTest, LeadsFromTheWorkersToTheTeam) {
  Thread& thread = self();
  const auto* registry = reinterpret_cast<Worker* const*>((*this)["pool.registry"]);
  const Worker* worker = registry[0];
  EXPECT_EQ(read<uint8_t>(worker, "Worker.kind"), (*this)["WorkerKind.Root"]);
  const auto* group = read<const Group*>(worker, "Worker.group");
  EXPECT_EQ(read<const void*>(group, "Group.root"), &thread);
  const auto* member = read<const Member*>(&thread, "Fiber.member");
  const auto* team = read<const Team*>(member, "Member.team");
  EXPECT_EQ(team, &thread.root->initial_team);
  EXPECT_EQ(read<const void* const*>(team, "Team.members")[0], member);
  EXPECT_EQ(read<const void*>(team, "Team.encountering"), nullptr);
}

// They are members of a base class.
TEST_F(DebuggerViewTest, FindsTheDequeInAMember) {
  static Member member;
  const auto* bytes = reinterpret_cast<const char*>(&member);
  EXPECT_EQ(bytes + (*this)["Member.tasks.top_"],
            reinterpret_cast<const char*>(&member.tasks.deque().top()));
  EXPECT_EQ(bytes + (*this)["Member.tasks.bottom_"],
            reinterpret_cast<const char*>(&member.tasks.deque().bottom()));
  Task task{nullptr};
  ASSERT_TRUE(member.tasks.push(&task));
  const auto* array = read<const char*>(&member, "Member.tasks.array_");
  const auto top = read<uint64_t>(&member, "Member.tasks.top_");
  const Task* first;
  memcpy(&first, array + (*this)["sizeof Deque<Task>::Array"] + top * sizeof first, sizeof first);
  EXPECT_EQ(first, &task);
}

TEST_F(DebuggerViewTest, FindsTheKindOfANode) {
  alignas(DependNode) char memory[sizeof(DependNode) + sizeof(DependLink)] = {};
  auto* node = new (memory) DependNode;
  node->capacity = DependNode::kMostLinks;
  for (const auto kind : {DependNodeKind::Task, DependNodeKind::Join, DependNodeKind::Entry}) {
    node->kind_bits = static_cast<uint32_t>(kind) & 7;
    const auto word = read<uint32_t>(node, "DependNode.kind");
    EXPECT_EQ(word >> 24 & 7, static_cast<uint32_t>(kind));
    EXPECT_EQ(word & 0xffffff, DependNode::kMostLinks);
  }
}

TEST_F(DebuggerViewTest, NamesTheHolderOfALock) {
  Lock lock;
  const auto word = [&] {
    uint32_t value;
    memcpy(&value, &lock, sizeof value);
    return value;
  };
  Thread& thread = self();
  const auto mark = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&thread) >> 3);
  const auto state_bits = static_cast<uint32_t>((*this)["Lock.kStateBits"]);
  ASSERT_NE(mark, 0U);
  lock.lock();
  EXPECT_EQ(word() & ~state_bits, mark);
  EXPECT_FALSE(lock.try_lock());
  EXPECT_EQ(word() & ~state_bits, mark);
  lock.unlock();
  EXPECT_EQ(word(), 0U);
  ASSERT_TRUE(lock.try_lock());
  EXPECT_EQ(word() & ~state_bits, mark);
  lock.unlock();
  EXPECT_EQ(word(), 0U);
}

}  // namespace
}  // namespace bobbin
