// SPDX-License-Identifier: Apache-2.0
#include "construct/reduction.h"

#include <cstdlib>
#include <cstring>

#include "construct/task_reduction.h"
#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "task/strand.h"
#include "team/barrier.h"

namespace bobbin {

using namespace reduction_words;

namespace {

uintptr_t* next_array(const uintptr_t* data) { return reinterpret_cast<uintptr_t*>(data[kNext]); }
uintptr_t original_of(const uintptr_t* data, size_t item) {
  return data[kHead + kItemWords * item];
}
uintptr_t offset_of(const uintptr_t* data, size_t item) {
  return data[kHead + kItemWords * item + 1];
}

// Not the compiler's, but what LLVM's calls the original outside of a region's private copy.
uintptr_t second_name(const uintptr_t* data, size_t item) {
  bool has_one = (data[kFirst] & kCombinedByRuntime) != 0;
  return data[kHead + kItemWords * item + (has_one ? 2 : 0)];
}

size_t words_of(const uintptr_t* array) { return kHead + kItemWords * array[kItems]; }

// The program's arrays lie on its stack, in lines that it may write for every task that it makes.
// So those who execute the tasks look at a duplicate behind the copies, which nobody writes.
uintptr_t* duplicate_of(const uintptr_t* array) {
  return reinterpret_cast<uintptr_t*>(round_up(array[kEnd], kCacheLine));
}

// Behind that.
SharedCopies& shared_copies(uintptr_t* duplicate) {
  return *reinterpret_cast<SharedCopies*>(duplicate + words_of(duplicate));
}

void make_copies(uintptr_t* data, unsigned team_size) {
  size_t alignment = data[kCopies] > kCacheLine ? data[kCopies] : kCacheLine;
  size_t bytes;
  size_t all;
  size_t duplicate = kCacheLine + words_of(data) * sizeof(uintptr_t) + sizeof(SharedCopies);
  void* copies = nullptr;
  if (!__builtin_mul_overflow(data[kBytes], size_t{team_size}, &bytes) &&
      !__builtin_add_overflow(bytes, duplicate + alignment, &all)) {
    copies = aligned_alloc(alignment, round_up(all - alignment, alignment));
  }
  if (copies == nullptr) fatal("out of memory for the private copies of a task reduction");
  memset(copies, 0, bytes);
  data[kCopies] = reinterpret_cast<uintptr_t>(copies);
  data[kEnd] = data[kCopies] + bytes;
}

// Does `visit` for each array of the construct; then links the last one to those of the enclosing
// region.
template <class Visit>
void chain_arrays(uintptr_t* data, void* enclosing, Visit&& visit) {
  for (uintptr_t* array = data;; array = next_array(array)) {
    visit(array);
    array[kFirst] = array == data ? kFirstArray : 0;
    if (next_array(array) == nullptr) {
      array[kNext] = reinterpret_cast<uintptr_t>(enclosing);
      return;
    }
  }
}

// Makes the copies for the construct and returns its arrays' duplicates, chained alike.
uintptr_t* set_up_copies(uintptr_t* data, void* enclosing, unsigned team_size) {
  chain_arrays(data, enclosing, [&](uintptr_t* array) { make_copies(array, team_size); });
  uintptr_t* array = data;
  while (true) {
    uintptr_t* next = next_array(array);
    uintptr_t* duplicate = duplicate_of(array);
    memcpy(duplicate, array, words_of(array) * sizeof(uintptr_t));
    if (next == enclosing) return duplicate_of(data);
    duplicate[kNext] = reinterpret_cast<uintptr_t>(duplicate_of(next));
    array = next;
  }
}

// Does `release` for each array of the construct, whose copies go with that; so may the array,
// which may be the duplicate.
template <class Release>
void release_arrays(uintptr_t* data, Release&& release) {
  uintptr_t* array = data;
  do {
    uintptr_t* next = next_array(array);
    release(array);
    array = next;
  } while (array != nullptr && array[kFirst] == 0);
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

struct OwnItem {
  void* copy;
  void* original;  // null: not asked for
  const uintptr_t* array;
};

// `partial`: the address may be that of a part of an item, and the original is not asked for.
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
  unsigned num = thread.member->num;
  if ((array[kFirst] & kCombinedByRuntime) != 0) initialise_copy(array, num, offset);
  return {reinterpret_cast<void*>(array[kCopies] + num * array[kBytes] + offset),
          partial ? nullptr : reinterpret_cast<void*>(original_of(array, item)), array};
}

}  // namespace

void register_reductions(Thread& thread, uintptr_t* data) {
  Taskgroup& group = *thread.task->group;
  unsigned team_size = thread.member->team->size;
  group.reductions = set_up_copies(data, group.reductions, team_size);
}

// A thread may come when the first one, with its arrays, is gone: in a region that is cancelled. So
// it finds their duplicates.
uintptr_t* register_share_reductions(Thread& thread, uintptr_t* data) {
  Taskgroup& group = *thread.task->group;
  void* enclosing = group.reductions;
  register_reductions(thread, data);
  auto* first = static_cast<uintptr_t*>(group.reductions);
  WorkShares& shares = thread.member->team->work_shares;
  SpinGuard guard(shares.extra_lock);
  for (uintptr_t* array = first; array != enclosing; array = next_array(array)) {
    SharedCopies& copies = shared_copies(array);
    copies = {shares.copies, reinterpret_cast<void*>(array[kCopies])};
    shares.copies = &copies;
  }
  return first;
}

void register_region_reductions(Taskgroup& group, uintptr_t* data, unsigned team_size) {
  group.reductions = set_up_copies(data, nullptr, team_size);
}

void unregister_reductions(uintptr_t* data) {
  release_arrays(data, [](uintptr_t* array) { free(reinterpret_cast<void*>(array[kCopies])); });
}

void* own_copy(Thread& thread, const uintptr_t* data, void* address) {
  OwnItem own = own_item(thread, data, reinterpret_cast<uintptr_t>(address), true);
  // GCC's code combines only the copies that its tasks have marked, behind a last byte of which
  // only they know where it is.
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

void begin_share_group(Thread& thread) {
  taskgroup_begin(thread);
  thread.task->group->internal = true;
}

void adopt_reductions(Thread& thread, uintptr_t* data, const uintptr_t* first) {
  Taskgroup& group = *thread.task->group;
  chain_arrays(data, group.reductions, [&](uintptr_t* array) {
    array[kCopies] = first[kCopies];
    array[kEnd] = first[kEnd];
    first = next_array(first);
  });
  group.reductions = data;
}

void* allocate_share_memory(size_t size) {
  void* memory = calloc(1, size != 0 ? size : 1);
  if (memory == nullptr) fatal("out of memory at a worksharing construct");
  return memory;
}

void end_share_reductions(Thread& thread, bool cancelled) {
  Team& team = *thread.member->team;
  auto* data = static_cast<uintptr_t*>(thread.task->group->reductions);
  taskgroup_end(thread);
  // If the region was not cancelled, a barrier came before: the others' tasks have ended, too.
  bool met = !cancelled && !team.cancelled.load(relaxed);
  if (thread.member->num == 0 && (met || team.serial())) {
    release_arrays(data, [&](uintptr_t* array) {
      team.work_shares.release_copies(shared_copies(duplicate_of(array)));
    });
  }
  if (!cancelled) barrier_wait(thread);
}

}  // namespace bobbin
