// SPDX-License-Identifier: Apache-2.0
// What code in programs makes of a task is what the runtime makes of it.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "abi/kmp/critical_name.h"
#include "abi/kmp/loops/static_bounds.h"
#include "abi/kmp/tasks/task_image.h"
#include "bobbin/inline/critical.h"
#include "bobbin/inline/loop.h"
#include "bobbin/inline/task.h"
#include "bobbin/inline/taskgroup.h"
#include "bobbin/inline/worksharing.h"
#include "construct/worksharing/loop_batches.h"
#include "task/create/in_place.h"
#include "task/create/permits.h"
#include "task/model/taskgroup.h"
#include "team/model/team.h"

namespace bobbin {
namespace {

// The inlined code names the same memory by other types. In a program it is in another translation
// unit.
void forget_what_is_in_memory() { asm volatile("" ::: "memory"); }

// Both make a task within `parent`, in memory with the same bytes before.
void expect_same(Task& parent, bool is_final, bool is_tied) {
  alignas(Task) unsigned char ours[sizeof(Task)];
  alignas(Task) unsigned char theirs[sizeof(Task)];
  memset(ours, 0x5a, sizeof ours);
  memset(theirs, 0x5a, sizeof theirs);
  Thread& thread = self();
  Task* before = thread.task;
  thread.task = &parent;
  new (ours) Task(parent, is_final, is_tied);
  bobbin_begin_(bobbin_self_v1, reinterpret_cast<bobbin_task_v1*>(theirs), is_final, is_tied);
  forget_what_is_in_memory();
  EXPECT_EQ(static_cast<void*>(thread.task), static_cast<void*>(theirs));
  bobbin_end_(bobbin_self_v1, reinterpret_cast<bobbin_task_v1*>(theirs));
  forget_what_is_in_memory();
  EXPECT_EQ(thread.task, &parent);
  thread.task = before;
  EXPECT_EQ(memcmp(ours, theirs, sizeof ours), 0) << is_final << is_tied;
}

TEST(InlineLayout, TheDescriptorsAreTheSame) {
  for (bool parent_final : {false, true}) {
    for (bool is_final : {false, true}) {
      for (bool is_tied : {false, true}) {
        Task parent;
        parent.final_task = parent_final;
        parent.own_stack = parent.imports = true;
        parent.depth = 7;
        Taskgroup group;
        parent.group = &group;
        expect_same(parent, is_final, is_tied);
      }
    }
  }
}

TEST(InlineLayout, MarksAreWhereTheyAreReadAndWritten) {
  Task task;
  void* address = &task;
  const auto& seen = *static_cast<const bobbin_task_v1*>(address);
  EXPECT_EQ(seen.marks, 0);
  task.order_goes_beyond = true;
  EXPECT_EQ(seen.marks, BOBBIN_ORDER_GOES_BEYOND_V1);
  EXPECT_EQ(seen.is_final & 1, 0);
  task.final_task = true;
  EXPECT_EQ(seen.is_final & 1, 1);
  task.children.store(3, relaxed);
  EXPECT_EQ(seen.children, 3U);
}

// What the program tests, after the runtime has been asked once.
bool in_place(Thread& thread, int deferrable) {
  thread.withdraw_permits();
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, deferrable));
  const bool given = deferrable != 0 ? ask_in_place(thread) : ask_undeferred(thread);
  forget_what_is_in_memory();
  EXPECT_EQ(bobbin_in_place_(bobbin_self_v1, deferrable) != 0, given);
  return given;
}

TEST(InlineLayout, APlainTaskRunsInPlaceOnlyIfNothingSpeaksAgainstIt) {
  Thread& thread = self();
  Member& member = *thread.member;
  EXPECT_FALSE(bobbin_in_place_(nullptr, 1));
  EXPECT_TRUE(in_place(thread, 1));
  EXPECT_TRUE(in_place(thread, 0));
  member.defer_limit = 1;
  EXPECT_FALSE(in_place(thread, 1));
  EXPECT_TRUE(in_place(thread, 0));
  thread.task->final_task = true;
  EXPECT_TRUE(in_place(thread, 1)) << "nothing is deferred within a final task";
  thread.task->final_task = false;
  member.defer_limit = kDeferAll;
  EXPECT_FALSE(in_place(thread, 1)) << "it defers all";
  member.defer_limit = 0;
  member.team->cancelled.store(true, relaxed);
  EXPECT_FALSE(in_place(thread, 1));
  EXPECT_FALSE(in_place(thread, 0));
  member.team->cancelled.store(false, relaxed);
  Taskgroup group;
  thread.task->group = &group;
  EXPECT_TRUE(in_place(thread, 1));
  group.state.store(kCancelled, relaxed);
  EXPECT_FALSE(in_place(thread, 1));
  EXPECT_FALSE(in_place(thread, 0));
  Taskgroup inner;
  inner.internal = true;
  inner.previous = &group;
  thread.task->group = &inner;
  EXPECT_FALSE(in_place(thread, 1)) << "the group around it counts";
  thread.task->group = nullptr;
  EXPECT_TRUE(in_place(thread, 0));
  thread.task->order_goes_beyond = true;
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 0));
  EXPECT_FALSE(surely_undeferred(thread));
  thread.task->order_goes_beyond = false;
  const char* limit = thread.stack_limit;
  thread.stack_limit = reinterpret_cast<const char*>(&group) + 1;
  EXPECT_FALSE(in_place(thread, 1));
  EXPECT_FALSE(in_place(thread, 0));
  thread.stack_limit = limit;
  EXPECT_TRUE(in_place(thread, 1));
}

TEST(InlineLayout, WhatChangesForAllTasksWithdrawsThePermits) {
  Thread& thread = self();
  Team& team = *thread.member->team;
  ASSERT_TRUE(in_place(thread, 1) && in_place(thread, 0));
  ASSERT_TRUE(in_place(thread, 1));
  withdraw_permits(team);
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 1));
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 0));
}

// Within a final task nothing is deferred, whatever thieves need. After it they count again.
TEST(InlineLayout, WhereThievesWantTasksThePermitEndsWithTheFinalTask) {
  Thread& thread = self();
  Member& member = *thread.member;
  for (int64_t wanted : {0, 1}) {
    bobbin_task_v1 outer;
    bobbin_task_v1 inner;
    thread.withdraw_permits();
    member.defer_limit = wanted;
    bobbin_begin_(bobbin_self_v1, &outer, 1, 1);
    bobbin_begin_(bobbin_self_v1, &inner, 0, 1);
    forget_what_is_in_memory();
    EXPECT_TRUE(ask_in_place(thread));
    forget_what_is_in_memory();
    bobbin_end_(bobbin_self_v1, &inner);
    EXPECT_TRUE(bobbin_in_place_(bobbin_self_v1, 1));
    bobbin_end_(bobbin_self_v1, &outer);
    forget_what_is_in_memory();
    EXPECT_EQ(bobbin_in_place_(bobbin_self_v1, 1) != 0, wanted == 0);
    EXPECT_EQ(ask_in_place(thread), wanted == 0);
  }
  member.defer_limit = 0;
}

// An undeferred task of LLVM's compilers: where its data end, and never before them.
TEST(InlineLayout, TheDescriptorIsBehindTheImage) {
  for (size_t bytes : {size_t{24}, size_t{40}, kSmallData}) {
    kmp::TaskImage& image = *kmp::make_image(kmp::kTied, bytes, 0, nullptr);
    auto* seen = reinterpret_cast<bobbin_image_v1*>(&image);
    const void* programs = bobbin_task_behind_(seen);
    EXPECT_EQ(programs, room_for_extras(kmp::task_of(image), kmp::data_bytes_of(image)));
    EXPECT_EQ(static_cast<const char*>(programs), reinterpret_cast<char*>(&image) + bytes);
    kmp::discard_image(self(), image);
  }
}

bobbin_group_v1& as_seen(Taskgroup& group) { return reinterpret_cast<bobbin_group_v1&>(group); }

TEST(InlineLayout, ProgramsOpenTaskgroupsAsTheRuntimeDoes) {
  Thread& thread = self();
  Task& task = *thread.task;
  taskgroup_begin(thread);
  Taskgroup& record = *task.group;
  taskgroup_end(thread);
  ASSERT_EQ(thread.free_group, &record);
  Taskgroup* const next = record.previous;
  for (bool nested : {false, true}) {
    Taskgroup around;
    task.group = nested ? &around : nullptr;
    record.internal = true;  // what an earlier use may have left
    record.owner = nullptr;
    record.state.store(kCancelled, relaxed);
    record.tasks.store(7, relaxed);
    record.reductions = &around;
    ASSERT_TRUE(bobbin_open_group_(bobbin_self_v1));
    EXPECT_EQ(thread.free_group, next);
    EXPECT_EQ(task.group, &record);
    EXPECT_EQ(record.previous, nested ? &around : nullptr);
    EXPECT_EQ(record.owner, &thread);
    EXPECT_FALSE(record.internal);
    EXPECT_EQ(record.state.load(relaxed), 0U);
    EXPECT_EQ(record.tasks.load(relaxed), 0U);
    EXPECT_EQ(record.reductions, nullptr);
    ASSERT_TRUE(bobbin_close_group_(bobbin_self_v1));
    EXPECT_EQ(task.group, nested ? &around : nullptr);
    EXPECT_EQ(thread.free_group, &record);
    EXPECT_EQ(record.previous, next);
    task.group = nullptr;
  }
}

TEST(InlineLayout, TheRuntimeGetsTaskgroupsWithSomethingSpecial) {
  Thread& thread = self();
  Task& task = *thread.task;
  EXPECT_FALSE(bobbin_open_group_(nullptr));
  EXPECT_FALSE(bobbin_close_group_(nullptr));
  taskgroup_begin(thread);
  Taskgroup& group = *task.group;
  bobbin_group_v1& seen = as_seen(group);
  seen.tasks = 1;
  EXPECT_FALSE(bobbin_close_group_(bobbin_self_v1));
  seen.tasks = 0;
  seen.reductions = &group;
  EXPECT_FALSE(bobbin_close_group_(bobbin_self_v1));
  EXPECT_FALSE(bobbin_open_group_(bobbin_self_v1));
  seen.reductions = nullptr;
  seen.state = kScheduled;
  EXPECT_FALSE(bobbin_close_group_(bobbin_self_v1));
  EXPECT_FALSE(bobbin_open_group_(bobbin_self_v1));
  seen.state = 0;
  group.internal = true;
  EXPECT_FALSE(bobbin_open_group_(bobbin_self_v1));
  group.internal = false;
  Taskgroup around;
  around.state.store(kCancelled, relaxed);
  group.previous = &around;
  EXPECT_FALSE(bobbin_close_group_(bobbin_self_v1)) << "the runtime withdraws the permits";
  group.previous = nullptr;
  Taskgroup* const records = thread.free_group;
  thread.free_group = nullptr;
  EXPECT_FALSE(bobbin_open_group_(bobbin_self_v1));
  thread.free_group = records;
  EXPECT_EQ(task.group, &group);
  EXPECT_TRUE(bobbin_close_group_(bobbin_self_v1));
  EXPECT_EQ(task.group, nullptr);
}

TEST(InlineLayout, ProgramsEnterCriticalSectionsAsTheRuntimeDoes) {
  for (int offset : {0, 1}) {  // the object may begin between two multiples of 8
    alignas(8) int32_t numbers[9] = {};
    int32_t* object = numbers + offset;
    kmp::CriticalName& name = *reinterpret_cast<kmp::CriticalName*>(object);
    EXPECT_FALSE(bobbin_enter_critical_(bobbin_self_v1, object)) << "the lock is not known yet";
    Lock& lock = name.section_lock();
    EXPECT_FALSE(bobbin_enter_critical_(nullptr, object));
    ASSERT_TRUE(bobbin_enter_critical_(bobbin_self_v1, object));
    EXPECT_FALSE(lock.try_lock());
    EXPECT_FALSE(bobbin_enter_critical_(bobbin_self_v1, object));
    EXPECT_FALSE(bobbin_leave_critical_(nullptr, object));
    ASSERT_TRUE(bobbin_leave_critical_(bobbin_self_v1, object));
    ASSERT_TRUE(lock.try_lock());
    EXPECT_FALSE(bobbin_enter_critical_(bobbin_self_v1, object));
    EXPECT_FALSE(bobbin_leave_critical_(bobbin_self_v1, object)) << "the runtime marks its holder";
    lock.unlock();
    ASSERT_TRUE(bobbin_enter_critical_(bobbin_self_v1, object));
    ASSERT_TRUE(bobbin_leave_critical_(bobbin_self_v1, object));
    auto& word = reinterpret_cast<uint32_t&>(lock);
    for (uint32_t waited_for : {3U, 7U}) {
      word = waited_for;
      EXPECT_FALSE(bobbin_enter_critical_(bobbin_self_v1, object));
      EXPECT_FALSE(bobbin_leave_critical_(bobbin_self_v1, object));
    }
    word = 0;
  }
}

// `bounds`: what is compiled into programs for this type.
template <class T, class Bounds>
void expect_same_bounds(T lower, T upper, Bounds&& bounds) {
  using Step = std::make_signed_t<T>;
  Member& member = *self().member;
  const unsigned* const teams = member.team_size;
  const bool every_value =
      lower == std::numeric_limits<T>::min() && upper == std::numeric_limits<T>::max();
  for (unsigned size : {1U, 2U, 3U, 7U, 64U}) {
    member.team_size = &size;
    for (unsigned num = 0; num < size; num++) {
      member.num = num;
      T seen_lower = lower;
      T seen_upper = upper;
      Step stride = 0;
      const int last = bounds(bobbin_self_v1, &seen_lower, &seen_upper, &stride);
      ASSERT_EQ(last<0, lower> upper || every_value) << lower << " " << upper;
      if (last < 0) continue;
      kmp::StaticLoop<T> loop{lower, upper, 0, false};
      kmp::divide<T>(loop, kmp::kStatic, 1, 1, size, num);
      ASSERT_EQ(seen_lower, loop.lower) << lower << " " << upper << " " << num << "/" << size;
      ASSERT_EQ(seen_upper, loop.upper) << lower << " " << upper << " " << num << "/" << size;
      ASSERT_EQ(stride, loop.stride) << lower << " " << upper << " " << num << "/" << size;
      ASSERT_EQ(last == 1, loop.last) << lower << " " << upper << " " << num << "/" << size;
    }
  }
  member.num = 0;
  member.team_size = teams;
}

template <class T, class Bounds>
void expect_same_bounds_of_type(Bounds&& bounds) {
  using Limits = std::numeric_limits<T>;
  constexpr T kMin = Limits::min();
  constexpr T kMax = Limits::max();
  for (T upper = 0; upper < 200; upper++) expect_same_bounds<T>(0, upper, bounds);
  expect_same_bounds<T>(0, kMax, bounds);
  expect_same_bounds<T>(0, kMax - 1, bounds);
  expect_same_bounds<T>(kMin, kMax - 1, bounds);
  expect_same_bounds<T>(kMin, kMin, bounds);
  expect_same_bounds<T>(kMax, kMax - 1, bounds);
  expect_same_bounds<T>(1, 0, bounds);
  if (sizeof(T) < 8) expect_same_bounds<T>(kMin, kMax, bounds);
  std::minstd_rand random;
  for (int i = 0; i < 200; i++) {
    std::uniform_int_distribution<T> any(kMin, kMax);
    const T lower = any(random);
    expect_same_bounds<T>(lower, any(random), bounds);
  }
}

TEST(InlineLayout, ProgramsDivideStaticLoopsAsTheRuntimeDoes) {
  expect_same_bounds_of_type<int32_t>([](auto... each) { return bobbin_bounds_4_(each...); });
  expect_same_bounds_of_type<uint32_t>([](auto... each) { return bobbin_bounds_4u_(each...); });
  expect_same_bounds_of_type<int64_t>([](auto... each) { return bobbin_bounds_8_(each...); });
  expect_same_bounds_of_type<uint64_t>([](auto... each) { return bobbin_bounds_8u_(each...); });
  int32_t lower = 0;
  int32_t upper = 9;
  int32_t stride = 0;
  EXPECT_LT(bobbin_bounds_4_(nullptr, &lower, &upper, &stride), 0);
}

TEST(InlineLayout, OnlyALoneThreadHasEachSingle) {
  Member& member = *self().member;
  EXPECT_FALSE(bobbin_alone_(nullptr));
  EXPECT_TRUE(bobbin_alone_(bobbin_self_v1));
  const unsigned* const teams = member.team_size;
  constexpr unsigned kTwo = 2;
  member.team_size = &kTwo;
  EXPECT_FALSE(bobbin_alone_(bobbin_self_v1));
  member.team_size = teams;
}

TEST(InlineLayout, ProgramsTakeChunksAsTheRuntimeDoes) {
  const ChunkBatch drawn{
      .left = 5, .begin = 100, .stride = uint64_t{0} - 6, .step = uint64_t{0} - 3};
  ChunkBatch& batch = self().member->position.batch;
  batch = drawn;
  ChunkBatch runtimes = drawn;
  uint64_t begin;
  uint64_t end;
  while (next_of_batch(runtimes, begin, end)) {
    bobbin_batch_v1* programs = bobbin_batch_(bobbin_self_v1);
    ASSERT_NE(programs, nullptr);
    EXPECT_EQ(bobbin_take_chunk_(programs), begin);
    EXPECT_EQ(programs->begin, end);
    EXPECT_EQ(programs->left, runtimes.left);
  }
  EXPECT_EQ(bobbin_batch_(bobbin_self_v1), nullptr) << "the last chunk is the runtime's";
  EXPECT_EQ(bobbin_batch_(nullptr), nullptr);
  batch = ChunkBatch{};
}

}  // namespace
}  // namespace bobbin
