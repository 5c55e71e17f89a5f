// SPDX-License-Identifier: Apache-2.0
#include "task/task_pool.h"

#include <cstdlib>
#include <new>

#include "platform/memory.h"

namespace bobbin {

using namespace task_pool;

namespace {

size_t bytes_of(unsigned size_class) {
  return size_class < 8 ? (size_class + 1) * kCacheLine : size_t{1} << (size_class + 2);
}

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

void* take_task_block_slowly(Worker& worker, unsigned size_class) {
  TaskPool* pool = worker.task_pool;
  if (pool == nullptr) [[unlikely]] {
    pool = worker.task_pool = make_lasting<TaskPool>();
    if (pool == nullptr) return nullptr;
  }
  FreeBlock* block = pool->returned[size_class].take_all();
  if (block == nullptr) return take_unused(*pool, size_class);
  pool->free[size_class] = block->next;
  return block;
}

}  // namespace bobbin
