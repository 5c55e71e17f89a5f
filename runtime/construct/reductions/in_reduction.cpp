// SPDX-License-Identifier: Apache-2.0
#include "construct/reductions/in_reduction.h"

#include "construct/reductions/task_reduction.h"
#include "platform/diagnostics.h"
#include "task/model/continuation.h"

namespace bobbin {

using namespace reduction_words;

namespace {

// The second address that names an item. GCC's arrays have none. LLVM's code has one: the original
// outside of a region's private copy.
uintptr_t second_name(const uintptr_t* data, size_t item) {
  bool has_one = (data[kFirst] & kCombinedByRuntime) != 0;
  return data[kHead + kItemWords * item + (has_one ? 2 : 0)];
}

const uintptr_t* find_original(const uintptr_t* data, uintptr_t address, size_t& item) {
  for (const uintptr_t* array = data; array != nullptr; array = next_array(array)) {
    for (item = 0; item < array[kItems]; item++) {
      if (original_of(array, item) == address || second_name(array, item) == address) return array;
    }
  }
  return nullptr;
}

const uintptr_t* find_copy(const uintptr_t* data, uintptr_t address) {
  for (const uintptr_t* array = data; array != nullptr; array = next_array(array)) {
    if (address >= array[kCopies] && address < array[kEnd]) return array;
  }
  return nullptr;
}

size_t item_at(const uintptr_t* array, uintptr_t offset) {
  size_t item = 0;
  while (item < array[kItems] && offset_of(array, item) != offset) item++;
  return item;
}

// A thread's number among those that have copies.
unsigned number_of(const Member& member) {
  const Team& team = *member.team;
  return member.free_agent ? team.size + (member.index - team.capacity) : member.num;
}

struct OwnItem {
  void* copy;
  void* original;  // null: not needed
  const uintptr_t* array;
};

// `partial`: the address may be that of a part of an item, and the original is not needed.
OwnItem own_item(Thread& thread, const uintptr_t* data, uintptr_t address, bool partial) {
  size_t item = 0;
  uintptr_t offset = 0;
  const uintptr_t* array = find_original(data, address, item);
  if (array != nullptr) {
    offset = offset_of(array, item);
  } else if ((array = find_copy(data, address)) != nullptr) {
    offset = (address - array[kCopies]) % array[kBytes];
    item = partial ? 0 : item_at(array, offset);
  }
  if (array == nullptr || item == array[kItems]) {
    fatal("in_reduction of %p: no enclosing construct has a task reduction of it",
          reinterpret_cast<void*>(address));
  }
  stay_on_thread(thread);
  order_by_thread(thread);
  const unsigned num = number_of(*thread.member);
  if ((array[kFirst] & kCombinedByRuntime) != 0) {
    initialise_copy(array, num, offset);
  } else if (thread.member->free_agent) {
    fatal(
        "in_reduction of %p: a free agent executes the task, and the task reduction was compiled "
        "by GCC, whose way to combine has no copy for it",
        reinterpret_cast<void*>(address));
  }
  return {reinterpret_cast<void*>(array[kCopies] + num * array[kBytes] + offset),
          partial ? nullptr : reinterpret_cast<void*>(original_of(array, item)), array};
}

}  // namespace

void* own_copy(Thread& thread, const uintptr_t* data, void* address) {
  OwnItem own = own_item(thread, data, reinterpret_cast<uintptr_t>(address), true);
  // GCC's code combines only the copies that its tasks have marked. The mark is a last byte whose
  // place only those tasks know.
  if ((own.array[kFirst] & kCombinedByRuntime) == 0) {
    fatal(
        "in_reduction of %p: the task was compiled by LLVM, the task reduction by GCC, whose ways "
        "to combine do not go together",
        address);
  }
  return own.copy;
}

void remap_reductions(Thread& thread, size_t count, size_t with_original, void** items) {
  auto* data = static_cast<const uintptr_t*>(thread.task->group->reductions);
  for (size_t i = 0; i < count; i++) {
    OwnItem own = own_item(thread, data, reinterpret_cast<uintptr_t>(items[i]), i >= with_original);
    items[i] = own.copy;
    if (i < with_original) items[count + i] = own.original;
  }
}

}  // namespace bobbin
