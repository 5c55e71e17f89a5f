// SPDX-License-Identifier: Apache-2.0
#include "construct/reductions/task_reduction.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "platform/watchers/happens_before.h"

namespace bobbin {

using namespace reduction_words;

namespace {

TaskReductions& of_words(uintptr_t* words) {
  char* address = reinterpret_cast<char*>(words) - offsetof(TaskReductions, words);
  return *reinterpret_cast<TaskReductions*>(address);
}

bool combined_by_runtime(const uintptr_t* words) {
  return words != nullptr && (words[kFirst] & kCombinedByRuntime) != 0;
}

[[noreturn]] void out_of_memory() {
  fatal("out of memory for the private copies of a task reduction");
}

uintptr_t end_of_item(const uintptr_t* words, size_t item) {
  bool last = item + 1 == words[kItems];
  return last ? words[kBytes] : words[kHead + kItemWords * (item + 1) + 1];
}

char* copy_of(const uintptr_t* words, unsigned num, size_t item) {
  return reinterpret_cast<char*>(words[kCopies] + num * words[kBytes] +
                                 words[kHead + kItemWords * item + 1]);
}

void combine(const TaskReductions& reductions, unsigned num) {
  size_t count = reductions.words[kItems];
  for (size_t i = 0; i < count; i++) {
    if (!reductions.copies->initialised[num * count + i]) continue;
    const ReductionItem& item = reductions.items[i];
    char* copy = copy_of(reductions.words, num, i);
    item.combine(item.original, copy, item.size);
    if (item.finalise != nullptr) item.finalise(copy);
  }
}

// The record lies in the memory.
void free_copies(const ReductionCopies& copies) {
  if (copies.has_allocator) {
    deallocate(copies.memory);
  } else {
    free(copies.memory);
  }
}

void combine_all(const TaskReductions& reductions) {
  for (unsigned num = 0; num < reductions.copies->number; num++) combine(reductions, num);
}

}  // namespace

TaskReductions& make_task_reductions(size_t count) {
  size_t head = sizeof(TaskReductions) + count * kItemWords * sizeof(uintptr_t);
  auto* memory = static_cast<char*>(malloc(head + count * sizeof(ReductionItem)));
  if (memory == nullptr) out_of_memory();
  auto* reductions = new (memory) TaskReductions{};
  reductions->items = reinterpret_cast<ReductionItem*>(memory + head);
  reductions->words[kItems] = count;
  return *reductions;
}

void lay_out(TaskReductions& reductions, size_t alignment) {
  uintptr_t* words = reductions.words;
  size_t end = 0;
  for (size_t i = 0; i < words[kItems]; i++) {
    const ReductionItem& item = reductions.items[i];
    // The program does not tell how a copy must be aligned. For an array section of constant
    // length, clang 19 tells only the size of an element: short sections still fit into the rest of
    // the cache line. At least one byte behind the copy is free: see initialise_copy().
    words[kHead + kItemWords * i] = reinterpret_cast<uintptr_t>(item.original);
    words[kHead + kItemWords * i + 1] = end;
    words[kHead + kItemWords * i + 2] = reinterpret_cast<uintptr_t>(item.initial);
    end = round_up(end + item.size + 1, alignment);
  }
  words[kBytes] = end;
  words[kFirst] = kFirstArray | kCombinedByRuntime;
}

ReductionCopies* make_reduction_copies(const TaskReductions& reductions, const Team& team,
                                       const CopyMemory& where) {
  const unsigned number = team.size + team.agent_seats;
  size_t all;
  if (__builtin_mul_overflow(reductions.words[kBytes], size_t{number}, &all)) out_of_memory();
  // The marks lie behind the copies.
  size_t marks = number * reductions.words[kItems];
  size_t head = round_up(all + marks, alignof(ReductionCopies));
  const size_t size = head + sizeof(ReductionCopies);
  auto* memory = static_cast<char*>(
      where.allocator ? allocate(where.alignment, size, *where.allocator) : allocate_lines(size));
  if (memory == nullptr) out_of_memory();
  auto* copies = new (memory + head) ReductionCopies{};
  copies->users.store(team.size, relaxed);
  copies->number = number;
  copies->memory = memory;
  copies->has_allocator = where.allocator.has_value();
  copies->initialised = reinterpret_cast<bool*>(memory + all);
  memset(copies->initialised, 0, marks);
  return copies;
}

void attach(Thread& thread, TaskReductions& reductions, ReductionCopies* copies) {
  Taskgroup& group = *thread.task->group;
  uintptr_t* words = reductions.words;
  reductions.copies = copies;
  words[kCopies] = reinterpret_cast<uintptr_t>(copies->memory);
  words[kEnd] = words[kCopies] + words[kBytes] * copies->number;
  words[kNext] = reinterpret_cast<uintptr_t>(group.reductions);
  group.reductions = words;
}

// The first thread of the team that comes makes the copies.
ReductionCopies* meet_for_copies(Thread& thread, const TaskReductions& reductions) {
  WorkShare& share = enter_share(thread, [&](WorkShare& fresh) {
    Team& team = *thread.member->team;
    ReductionCopies* copies = make_reduction_copies(reductions, team);
    copies->kept.memory = copies->memory;
    team.work_shares.keep_copies(copies->kept);
    happens_before(copies);
    fresh.copyprivate.store(copies, relaxed);
  });
  auto* copies = static_cast<ReductionCopies*>(share.copyprivate.load(relaxed));
  happens_after(copies);
  leave_share(thread);
  return copies;
}

void initialise_copy(const uintptr_t* array, unsigned num, uintptr_t offset) {
  const TaskReductions& reductions = of_words(const_cast<uintptr_t*>(array));
  size_t i = array[kItems] - 1;
  while (array[kHead + kItemWords * i + 1] > offset) i--;
  bool& initialised = reductions.copies->initialised[num * array[kItems] + i];
  if (initialised) return;
  initialised = true;
  const ReductionItem& item = reductions.items[i];
  char* copy = copy_of(array, num, i);
  // GCC's tasks use the byte behind a copy as the mark that the copy is initialised.
  memset(copy + item.size, 1,
         end_of_item(array, i) - array[kHead + kItemWords * i + 1] - item.size);
  if (item.initialise != nullptr) {
    item.initialise(copy, item.initial, item.size);
  } else {
    memset(copy, 0, item.size);
  }
}

void end_reducing_taskgroup(Thread& thread) {
  const Taskgroup& group = *thread.task->group;
  auto* words = static_cast<uintptr_t*>(group.reductions);
  const void* enclosing = group.previous != nullptr ? group.previous->reductions : nullptr;
  taskgroup_end(thread);
  while (words != enclosing && combined_by_runtime(words)) {
    TaskReductions& reductions = of_words(words);
    words = reinterpret_cast<uintptr_t*>(words[kNext]);
    combine_all(reductions);
    free_copies(*reductions.copies);
    free(&reductions);
  }
}

void end_region_reductions(Thread& thread) {
  auto* words = static_cast<uintptr_t*>(thread.task->group->reductions);
  taskgroup_end(thread);
  TaskReductions& reductions = of_words(words);
  // The tasks of the other threads ended before those threads came here.
  happens_before(reductions.copies);
  if (reductions.copies->users.fetch_sub(1, acq_rel) == 1) {
    happens_after(reductions.copies);
    combine_all(reductions);
    thread.member->team->work_shares.release_copies(reductions.copies->kept);
  }
  free(&reductions);
}

// The copies are freed with the team's worksharing regions.
void abandon_reductions(void* innermost, const void* enclosing) {
  auto* words = static_cast<uintptr_t*>(innermost);
  while (words != enclosing && combined_by_runtime(words)) {
    TaskReductions& reductions = of_words(words);
    words = reinterpret_cast<uintptr_t*>(words[kNext]);
    free(&reductions);
  }
}

}  // namespace bobbin
