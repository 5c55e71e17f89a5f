// SPDX-License-Identifier: Apache-2.0
// Task reductions: the private copies in which the tasks of a taskgroup, of a worksharing region or
// of a parallel region accumulate. There is one copy for each thread of the team (section 5.5).
//
// The compiler describes them by arrays of words, which are part of GCC's ABI:
//
//   [0]  number of items
//   [1]  bytes for one thread's copies of all
//   [2]  alignment; after registration: the copies, thread 0's first
//   [3]  allocator, or -1
//   [4]  next array of the construct, or null; after registration the last one leads to those of
//        the enclosing region
//   [5]  ours: 1 marks the first array of a registration; 2: see task_reduction.h
//   [6]  ours: the end of the copies
//   then for each item: address of the original, offset in a thread's copies, ours
//
// The items are sorted by offset. A task finds its copy by the address of the original, or by that
// of any thread's copy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "construct/workshare.h"
#include "platform/watchers/happens_before.h"
#include "task/model/taskgroup.h"

namespace bobbin {

namespace reduction_words {
inline constexpr unsigned kItems = 0;
inline constexpr unsigned kBytes = 1;
inline constexpr unsigned kCopies = 2;  // alignment before
inline constexpr unsigned kNext = 4;
inline constexpr unsigned kFirst = 5;
inline constexpr unsigned kEnd = 6;
inline constexpr unsigned kHead = 7;
inline constexpr unsigned kItemWords = 3;

inline constexpr uintptr_t kFirstArray = 1;
inline constexpr uintptr_t kCombinedByRuntime = 2;

inline uintptr_t* next_array(const uintptr_t* data) {
  return reinterpret_cast<uintptr_t*>(data[kNext]);
}
inline uintptr_t original_of(const uintptr_t* data, size_t item) {
  return data[kHead + kItemWords * item];
}
inline uintptr_t offset_of(const uintptr_t* data, size_t item) {
  return data[kHead + kItemWords * item + 1];
}
}  // namespace reduction_words

// Registers the arrays with the innermost taskgroup of the current task. Makes the copies, zeroed.
void register_reductions(Thread& thread, uintptr_t* data);
// The same, for all threads of a worksharing region. Returns the arrays that the other threads
// adopt.
uintptr_t* register_share_reductions(Thread& thread, uintptr_t* data);
// For a team that is about to be forked: `group` becomes the group in which its implicit tasks
// begin.
void register_region_reductions(Taskgroup& group, uintptr_t* data, unsigned team_size);
// The copies have been combined: frees them.
void unregister_reductions(uintptr_t* data);

// What a worksharing construct has besides its schedule.
struct ShareExtras {
  uintptr_t* reductions = nullptr;  // reduction clauses with the task modifier
  void** memory = nullptr;          // in: a size; out: that many zeroed bytes, shared by the team
};

// Ends the taskgroup that enter_share_with() began for reductions.
void end_share_reductions(Thread& thread, bool cancelled);

void begin_share_group(Thread& thread);
void adopt_reductions(Thread& thread, uintptr_t* data, const uintptr_t* first);
void* allocate_share_memory(size_t size);

template <class SetUp>
WorkShare& enter_share_with(Thread& thread, const ShareExtras& extras, SetUp&& set_up) {
  if (extras.reductions != nullptr) begin_share_group(thread);
  bool first = false;
  WorkShare& share = enter_share(thread, [&](WorkShare& fresh) {
    first = true;
    set_up(fresh);
    if (extras.reductions != nullptr) {
      fresh.reductions = register_share_reductions(thread, extras.reductions);
    }
    if (extras.memory != nullptr) {
      fresh.memory = allocate_share_memory(reinterpret_cast<size_t>(*extras.memory));
    }
    if (extras.reductions != nullptr || extras.memory != nullptr) happens_before(&fresh);
  });
  if (extras.reductions != nullptr || extras.memory != nullptr) happens_after(&share);
  if (extras.reductions != nullptr && !first) {
    adopt_reductions(thread, extras.reductions, share.reductions);
  }
  if (extras.memory != nullptr) *extras.memory = share.memory;
  return share;
}

}  // namespace bobbin
