// SPDX-License-Identifier: Apache-2.0
#include "construct/reductions/reduction.h"

#include <cstdlib>
#include <cstring>

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "team/members/barrier.h"

namespace bobbin {

using namespace reduction_words;

namespace {

size_t words_of(const uintptr_t* array) { return kHead + kItemWords * array[kItems]; }

// The program's arrays lie on its stack, in cache lines that it may write for every task that it
// makes. So the threads that execute the tasks read a duplicate behind the copies, which no thread
// writes.
uintptr_t* duplicate_of(const uintptr_t* array) {
  return reinterpret_cast<uintptr_t*>(round_up(array[kEnd], kCacheLine));
}

// These lie behind the duplicate.
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

// Calls `visit` for each array of the construct; then links the last one to those of the enclosing
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

// Calls `release` for each array of the construct, which frees the array's copies. This may free
// the array itself, if the array is the duplicate.
template <class Release>
void release_arrays(uintptr_t* data, Release&& release) {
  uintptr_t* array = data;
  do {
    uintptr_t* next = next_array(array);
    release(array);
    array = next;
  } while (array != nullptr && array[kFirst] == 0);
}

}  // namespace

void register_reductions(Thread& thread, uintptr_t* data) {
  Taskgroup& group = *thread.task->group;
  unsigned team_size = thread.member->team->size;
  group.reductions = set_up_copies(data, group.reductions, team_size);
}

// In a cancelled region a thread may come when the first one, with its arrays, is gone. So it uses
// their duplicates.
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
  // If the region was not cancelled, a barrier came before: the other threads' tasks have ended,
  // too.
  bool met = !cancelled && !team.cancelled.load(relaxed);
  if (thread.member->num == 0 && (met || team.serial())) {
    release_arrays(data, [&](uintptr_t* array) {
      team.work_shares.release_copies(shared_copies(duplicate_of(array)));
    });
  }
  if (!cancelled) barrier_wait(thread);
}

}  // namespace bobbin
