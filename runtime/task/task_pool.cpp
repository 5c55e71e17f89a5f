// SPDX-License-Identifier: Apache-2.0
#include "task/task_pool.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "platform/memory.h"
#include "sched/inbox.h"

namespace bobbin {
namespace {

// Blocks of one size lie together in slabs, so that the slab's address, and with it whose a block
// is, follows from the block's.
constexpr size_t kSlabBytes = 16384;

// Sizes in steps of a cache line, from 512 on in powers of two.
constexpr size_t kLargestStep = 512;
constexpr unsigned kClasses = 10;

unsigned class_of(size_t bytes) {
  if (bytes <= kLargestStep)
    return static_cast<unsigned>((bytes + kCacheLine - 1) / kCacheLine) - 1;
  return static_cast<unsigned>(std::bit_width(bytes - 1)) - 2;
}

size_t bytes_of(unsigned size_class) {
  return size_class < 8 ? (size_class + 1) * kCacheLine : size_t{1} << (size_class + 2);
}

struct FreeBlock {
  FreeBlock* next;
};

struct alignas(kCacheLine) Slab {
  TaskPool* owner;
  unsigned size_class;

  static Slab* of(void* block) {
    return reinterpret_cast<Slab*>(reinterpret_cast<uintptr_t>(block) & ~(kSlabBytes - 1));
  }
  char* first() { return reinterpret_cast<char*>(this + 1); }
};

}  // namespace

struct TaskPool {
  // The owner's.
  FreeBlock* free[kClasses] = {};
  char* unused[kClasses] = {};  // the rest of the newest slab ...
  char* end[kClasses] = {};     // ... up to here
  // Pushed by other workers.
  alignas(kCacheLine) Inbox<FreeBlock> returned[kClasses];
};

namespace {

Slab* make_slab(TaskPool* owner, unsigned size_class) {
  void* memory = aligned_alloc(kSlabBytes, kSlabBytes);
  return memory != nullptr ? new (memory) Slab{owner, size_class} : nullptr;
}

[[gnu::noinline]] void* take_unused(TaskPool& pool, unsigned size_class) {
  size_t bytes = bytes_of(size_class);
  if (pool.unused[size_class] == nullptr ||
      static_cast<size_t>(pool.end[size_class] - pool.unused[size_class]) < bytes) {
    Slab* slab = make_slab(&pool, size_class);
    if (slab == nullptr) return nullptr;
    pool.unused[size_class] = slab->first();
    pool.end[size_class] = reinterpret_cast<char*>(slab) + kSlabBytes;
  }
  void* block = pool.unused[size_class];
  pool.unused[size_class] += bytes;
  return block;
}

}  // namespace

void* take_task_block(Worker& worker, size_t bytes) {
  TaskPool* pool = worker.task_pool;
  if (pool == nullptr) [[unlikely]] {
    pool = worker.task_pool = make_lasting<TaskPool>();
    if (pool == nullptr) return nullptr;
  }
  unsigned size_class = class_of(bytes);
  FreeBlock* block = pool->free[size_class];
  if (block == nullptr) {
    block = pool->returned[size_class].take_all();
    if (block == nullptr) return take_unused(*pool, size_class);
  }
  pool->free[size_class] = block->next;
  // It may have been written last by another processor.
  __builtin_prefetch(block->next, 1);
  return block;
}

void give_task_block(Worker& worker, void* block) {
  Slab* slab = Slab::of(block);
  TaskPool* owner = slab->owner;
  auto* freed = static_cast<FreeBlock*>(block);
  if (owner == worker.task_pool) {
    freed->next = owner->free[slab->size_class];
    owner->free[slab->size_class] = freed;
  } else {
    owner->returned[slab->size_class].push(freed);
  }
}

}  // namespace bobbin
