// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sched/inbox.h"
#include "sched/worker.h"

namespace bobbin {

// Memory of deferred tasks: descriptor, extras and data in one block. Every worker has a pool and
// takes blocks from it without any synchronisation. A block that another worker frees goes back to
// its maker, over an inbox that the maker empties when he has no free blocks left: so a worker that
// makes tasks for others to execute runs in constant memory, and no lock is shared. A block stays
// of its size for ever, and is never given back to the system: descriptors in it are type-stable.

inline constexpr size_t kLargestTaskBlock = 2048;

namespace task_pool {

// Sizes in steps of a cache line, from 512 on in powers of two.
inline constexpr size_t kLargestStep = 512;
inline constexpr unsigned kClasses = 10;

inline unsigned class_of(size_t bytes) {
  if (bytes <= kLargestStep)
    return static_cast<unsigned>((bytes + kCacheLine - 1) / kCacheLine) - 1;
  return static_cast<unsigned>(std::bit_width(bytes - 1)) - 2;
}

struct FreeBlock {
  FreeBlock* next;
};

// Blocks of one size lie together in slabs, so that the slab's address, and with it whose a block
// is, follows from the block's.
inline constexpr size_t kSlabBytes = 16384;

struct alignas(kCacheLine) Slab {
  TaskPool* owner;
  unsigned size_class;

  static Slab* of(void* block) {
    return reinterpret_cast<Slab*>(reinterpret_cast<uintptr_t>(block) & ~(kSlabBytes - 1));
  }
  char* first() { return reinterpret_cast<char*>(this + 1); }
};

}  // namespace task_pool

struct TaskPool {
  // The owner's.
  task_pool::FreeBlock* free[task_pool::kClasses] = {};
  char* unused[task_pool::kClasses] = {};  // the rest of the newest slab ...
  char* end[task_pool::kClasses] = {};     // ... up to here
  // Pushed by other workers.
  alignas(kCacheLine) Inbox<task_pool::FreeBlock> returned[task_pool::kClasses];
};

void* take_task_block_slowly(Worker& worker, unsigned size_class);

// A block that is there at once; nullptr: ask take_task_block().
inline void* take_free_task_block(Worker& worker, unsigned size_class) {
  TaskPool* pool = worker.task_pool;
  task_pool::FreeBlock* block = pool != nullptr ? pool->free[size_class] : nullptr;
  if (block == nullptr) [[unlikely]]
    return nullptr;
  pool->free[size_class] = block->next;
  // It may have been written last by another processor.
  __builtin_prefetch(block->next, 1);
  return block;
}

// `bytes` at most kLargestTaskBlock; cache-line aligned; nullptr: out of memory.
inline void* take_task_block(Worker& worker, size_t bytes) {
  unsigned size_class = task_pool::class_of(bytes);
  void* block = take_free_task_block(worker, size_class);
  return block != nullptr ? block : take_task_block_slowly(worker, size_class);
}

// By any worker.
inline void give_task_block(Worker& worker, void* block) {
  task_pool::Slab* slab = task_pool::Slab::of(block);
  TaskPool* owner = slab->owner;
  auto* freed = static_cast<task_pool::FreeBlock*>(block);
  if (owner == worker.task_pool) [[likely]] {
    freed->next = owner->free[slab->size_class];
    owner->free[slab->size_class] = freed;
  } else {
    owner->returned[slab->size_class].push(freed);
  }
}

}  // namespace bobbin
