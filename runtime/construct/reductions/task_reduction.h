// SPDX-License-Identifier: Apache-2.0
// Task reductions whose private copies the runtime itself initialises and combines, as LLVM's ABI
// requires. They are registered as the arrays of reduction.h that GCC's code makes. So a task finds
// its copy in the same way, whichever compilers made the task and the enclosing construct.
#pragma once

#include <optional>

#include "construct/memory/allocator.h"
#include "construct/reductions/reduction.h"

namespace bobbin {

// One reduction item.
struct ReductionItem {
  void* original;  // tasks name the item by it; in the end the copies are combined into it
  void* initial;   // passed to `initialise` beside the copy; tasks may also name the item by it
  size_t size;
  void (*initialise)(void* copy, void* initial, size_t size);  // null: zeros
  void (*finalise)(void* copy);                                // may be null
  void (*combine)(void* into, void* copy, size_t size);
};

// Where the copies lie.
struct CopyMemory {
  size_t alignment = kCacheLine;             // a multiple of it
  std::optional<AllocatorHandle> allocator;  // nothing: the C library's
};

// For tasks of the current task's innermost taskgroup region. `items(i)` returns the i-th item.
// Returns the registration.
template <class Items>
uintptr_t* begin_task_reductions(Thread& thread, size_t count, Items&& items,
                                 const CopyMemory& memory = {});

// For the tasks of a parallel or worksharing region. All threads of the team call it, each with its
// own originals. It begins a taskgroup region for the calling thread, which end_region_reductions()
// ends. The last thread that comes there combines all copies into its originals.
template <class Items>
uintptr_t* begin_region_reductions(Thread& thread, size_t count, Items&& items);
void end_region_reductions(Thread& thread);

// Ends a taskgroup region and the reductions that were begun in it.
void end_reducing_taskgroup(Thread& thread);

// Called before a thread uses its copy of an item. `offset` is that of the copy or of a part of it.
void initialise_copy(const uintptr_t* array, unsigned num, uintptr_t offset);

// Below: the implementation.

// The copies of one taskgroup or region. This record lies in the same block of memory, behind each
// thread's copies.
struct ReductionCopies {
  Atomic<uint32_t> users;  // threads of the region that have not ended it
  unsigned number;
  char* memory;
  bool has_allocator;
  bool* initialised;  // for each copy and item; written by the thread that has the copy
  SharedCopies kept;  // for a region, which may be cancelled
};

// One registration: a thread's view of the copies.
struct TaskReductions {
  ReductionCopies* copies;
  ReductionItem* items;
  uintptr_t words[reduction_words::kHead];  // and kItemWords for each item
};

TaskReductions& make_task_reductions(size_t count);
// One for each thread of the team, then one for each free agent.
ReductionCopies* make_reduction_copies(const TaskReductions& reductions, const Team& team,
                                       const CopyMemory& memory = {});
void lay_out(TaskReductions& reductions, size_t alignment);
void attach(Thread& thread, TaskReductions& reductions, ReductionCopies* copies);
ReductionCopies* meet_for_copies(Thread& thread, const TaskReductions& reductions);

template <class Items>
TaskReductions& collect_items(size_t count, Items&& items, size_t alignment = kCacheLine) {
  TaskReductions& reductions = make_task_reductions(count);
  for (size_t i = 0; i < count; i++) reductions.items[i] = items(i);
  lay_out(reductions, alignment);
  return reductions;
}

template <class Items>
uintptr_t* begin_task_reductions(Thread& thread, size_t count, Items&& items,
                                 const CopyMemory& memory) {
  TaskReductions& reductions = collect_items(count, items, memory.alignment);
  attach(thread, reductions, make_reduction_copies(reductions, *thread.member->team, memory));
  return reductions.words;
}

template <class Items>
uintptr_t* begin_region_reductions(Thread& thread, size_t count, Items&& items) {
  TaskReductions& reductions = collect_items(count, items);
  ReductionCopies* copies = meet_for_copies(thread, reductions);
  begin_share_group(thread);
  attach(thread, reductions, copies);
  return reductions.words;
}

}  // namespace bobbin
