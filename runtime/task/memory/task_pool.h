// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "sched/queues/inbox.h"
#include "sched/workers/worker.h"
#include "task/memory/data_pool.h"

namespace bobbin {

// Memory of deferred tasks. Descriptor, extras and data are in one block, except large data
// (task/memory/data_pool.h). Every worker has a pool and takes blocks from it without any
// synchronisation. A block that another worker frees goes back to its maker through an inbox. The
// maker empties the inbox when it has no free blocks left. So a worker that makes tasks for others
// to execute runs in constant memory, and no lock is shared. A block keeps its size for ever, and
// is never given back to the system: descriptors in it are type-stable.

inline constexpr size_t kLargestTaskBlock = 2048;

// `bytes` at most kLargestTaskBlock; cache-line aligned; nullptr: out of memory.
void* take_task_block(Worker& worker, size_t bytes);

struct FreeBlock;

// Called by any worker.
void give_task_block(Worker& worker, void* block);

// Blocks on their way back to another worker. They go together: their lines were written here, and
// the maker can have them all fetched at once.
class BlockReturns {
 public:
  BlockReturns() = default;
  BlockReturns(const BlockReturns&) = delete;
  BlockReturns& operator=(const BlockReturns&) = delete;
  ~BlockReturns() { flush(); }

  void give(Worker& worker, void* block);
  void add(FreeBlock* block);  // of another worker's pool
  void flush();

 private:
  FreeBlock* first_ = nullptr;  // the others are named in it
};

// Below is the implementation.

struct FreeBlock {
  FreeBlock* next;
};

// A block that comes back from another worker. Its second line names others of the same maker and
// size. Its first line does not, because thieves may still look there at what was a descriptor
// (task/model/constraint.h). So blocks of a single line come back one by one.
struct ReturnedBlocks {
  static constexpr unsigned kMost = 7;
  uint64_t count;
  void* blocks[kMost];

  static ReturnedBlocks& in(void* block) {
    return *reinterpret_cast<ReturnedBlocks*>(static_cast<char*>(block) + kCacheLine);
  }
};
static_assert(sizeof(ReturnedBlocks) == kCacheLine);

struct TaskPool {
  // Sizes in steps of a cache line, from 512 on in powers of two.
  static constexpr size_t kLargestStep = 512;
  static constexpr unsigned kClasses = 10;

  // For the owner only.
  FreeBlock* free[kClasses] = {};
  char* unused[kClasses] = {};            // the rest of the newest slab ...
  char* end[kClasses] = {};               // ... up to here
  FreeBlock* back[kClasses] = {};         // blocks that came back, with those that they name
  ReturnedBlocks at_hand[kClasses] = {};  // named by the last one taken; being fetched
  // Pushed by other workers.
  alignas(kCacheLine) Inbox<FreeBlock> returned[kClasses];

  DataPool data;

  static unsigned class_of_step(size_t bytes) {
    return static_cast<unsigned>((bytes + kCacheLine - 1) / kCacheLine) - 1;
  }

  void* take_free(unsigned size_class) {
    FreeBlock* block = free[size_class];
    free[size_class] = block->next;
    return block;
  }
};

// The memory of all pools so far. It is kept.
size_t bytes_of_task_pools();

// The worker's pool, made when first asked for; nullptr: out of memory.
[[gnu::noinline]] TaskPool* make_task_pool(Worker& worker);
inline TaskPool* task_pool_of(Worker& worker) {
  TaskPool* own = worker.task_pool;
  return own != nullptr ? own : make_task_pool(worker);
}

// Blocks of one size lie together in slabs. The slab's address follows from the block's, and so
// does the owner of the block.
struct alignas(kCacheLine) Slab {
  static constexpr size_t kBytes = 16384;

  TaskPool* owner;
  unsigned size_class;

  static Slab* of(void* block) {
    return reinterpret_cast<Slab*>(reinterpret_cast<uintptr_t>(block) & ~(kBytes - 1));
  }
  char* first() { return reinterpret_cast<char*>(this + 1); }
};

// The block is of another worker's pool.
void give_to_maker(FreeBlock& freed);

inline void give_task_block(Worker& worker, void* block) {
  Slab* slab = Slab::of(block);
  TaskPool* owner = slab->owner;
  auto* freed = static_cast<FreeBlock*>(block);
  if (owner == worker.task_pool) [[likely]] {
    freed->next = owner->free[slab->size_class];
    owner->free[slab->size_class] = freed;
  } else {
    give_to_maker(*freed);
  }
}

inline void BlockReturns::give(Worker& worker, void* block) {
  if (Slab::of(block)->owner == worker.task_pool) {
    give_task_block(worker, block);
  } else {
    add(static_cast<FreeBlock*>(block));
  }
}

}  // namespace bobbin
