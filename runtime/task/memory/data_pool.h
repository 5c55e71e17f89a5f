// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sched/queues/inbox.h"
#include "sched/workers/worker.h"

namespace bobbin {

// Memory of data that are too large to lie behind their task's descriptor. Nobody reads it after
// the task is gone, so it can be given back to the system, unlike descriptors (team/model/task.h).
//
// Every worker has a pool. It takes blocks from it and puts its own ones back without any
// synchronisation, the last one first, as tasks in place nest. A block that another worker frees
// goes back to its maker through an inbox. The maker empties the inbox when it has no idle block of
// a size left.
//
// A worker keeps idle blocks of up to kMostIdle bytes, and as many bytes again may wait in its
// inbox. That is some fifty of the largest blocks, because a maker's tasks end many at a time.
// Further blocks go to the C library at once. All blocks go there when the worker's kernel thread
// ends or the program calls omp_pause_resource.

inline constexpr size_t kLargestPooledData = 80 << 10;  // 64 KB, and what compilers put around them

class DataPool;

// The line before the data.
struct alignas(kCacheLine) DataHead {
  void* memory;    // as the C library gave it
  DataPool* pool;  // the pool that it goes back to; nullptr: none
  Owned<DataHead*> next{nullptr};
  uint32_t size_class;
  uint32_t units;  // towards BOBBIN_TASK_MEMORY: task/memory/bulk.h

  static DataHead& of(void* data) { return static_cast<DataHead*>(data)[-1]; }
  void* data() { return this + 1; }
};

// From the C library. Without a pool the block goes back there. nullptr: out of memory.
DataHead* allocate_data(size_t bytes, DataPool* pool, unsigned size_class);

class DataPool {
 public:
  static constexpr size_t kMostIdle = 4 << 20;

  // Four sizes to an octave, from kSmallest on.
  static constexpr size_t kSmallest = 1280;
  static constexpr unsigned class_of(size_t bytes) {
    if (bytes < kSmallest) bytes = kSmallest;
    const auto octave = static_cast<unsigned>(std::bit_width(bytes - 1));
    return octave * 4 + static_cast<unsigned>((bytes - 1) >> (octave - 3)) - kFirst;
  }
  static constexpr size_t bytes_of(unsigned size_class) {
    const unsigned number = size_class + kFirst - 4;
    return size_t{number % 4 + 5} << (number / 4 - 3);
  }
  static constexpr unsigned kClasses = 25;

  explicit DataPool(size_t most_idle = kMostIdle) : most_idle_(most_idle) {}

  // Called by the owner. nullptr: out of memory.
  DataHead* take(unsigned size_class) {
    DataHead* head = idle_[size_class];
    if (head == nullptr) [[unlikely]]
      return take_more(size_class);
    idle_[size_class] = head->next;
    idle_bytes_ -= bytes_of(size_class);
    return head;
  }

  // Puts back a block of this pool. Called by the owner.
  void keep(DataHead& head) {
    const size_t bytes = bytes_of(head.size_class);
    if (idle_bytes_ + bytes > most_idle_) [[unlikely]] {
      to_library(head);
      return;
    }
    idle_bytes_ += bytes;
    head.next = idle_[head.size_class];
    idle_[head.size_class] = &head;
  }

  // The same, called by any other worker.
  void give_to_maker(DataHead& head);

  // Called by the owner.
  void give_back_all();

  size_t idle_bytes() const { return idle_bytes_; }
  // The bytes that are in the inbox, or about to be.
  size_t returned_bytes() const { return returned_bytes_.load(relaxed); }

 private:
  static constexpr unsigned kFirst = 11 * 4 + 4;

  static void to_library(DataHead& head);
  DataHead* take_more(unsigned size_class);
  void take_returned();
  void make_room(size_t bytes);

  const size_t most_idle_;
  size_t idle_bytes_ = 0;
  DataHead* idle_[kClasses] = {};
  // Invariant: `returned_bytes_` is at least the bytes that lie in `returned_`. A worker adds
  // before it pushes; the owner subtracts what it has found there. It orders nothing. It is a
  // bound, except for one block for each worker that adds at the same time.
  alignas(kCacheLine) Inbox<DataHead> returned_;
  Atomic<size_t> returned_bytes_{0};
};
static_assert(DataPool::bytes_of(0) == DataPool::kSmallest);
static_assert(DataPool::class_of(DataPool::kSmallest) == 0);
static_assert(DataPool::class_of(DataPool::kSmallest + 1) == 1);
static_assert(DataPool::class_of(kLargestPooledData) == DataPool::kClasses - 1);
static_assert(DataPool::bytes_of(DataPool::kClasses - 1) == kLargestPooledData);

}  // namespace bobbin
