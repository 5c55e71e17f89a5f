// SPDX-License-Identifier: Apache-2.0
#include "task/task_pool.h"

#include <bit>
#include <cstdlib>
#include <new>

#include "platform/memory.h"

namespace bobbin {
namespace {

unsigned class_of(size_t bytes) {
  if (bytes <= TaskPool::kLargestStep) return TaskPool::class_of_step(bytes);
  return static_cast<unsigned>(std::bit_width(bytes - 1)) - 2;
}

size_t bytes_of(unsigned size_class) {
  return size_class < 8 ? (size_class + 1) * kCacheLine : size_t{1} << (size_class + 2);
}

Slab* make_slab(TaskPool* owner, unsigned size_class) {
  void* memory = aligned_alloc(Slab::kBytes, Slab::kBytes);
  return memory != nullptr ? new (memory) Slab{owner, size_class} : nullptr;
}

[[gnu::noinline]] void* take_unused(TaskPool& pool, unsigned size_class) {
  size_t bytes = bytes_of(size_class);
  if (pool.unused[size_class] == nullptr ||
      static_cast<size_t>(pool.end[size_class] - pool.unused[size_class]) < bytes) {
    Slab* slab = make_slab(&pool, size_class);
    if (slab == nullptr) return nullptr;
    pool.unused[size_class] = slab->first();
    pool.end[size_class] = reinterpret_cast<char*>(slab) + Slab::kBytes;
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
  if (pool->free[size_class] == nullptr) {
    pool->free[size_class] = pool->returned[size_class].take_all();
    if (pool->free[size_class] == nullptr) return take_unused(*pool, size_class);
  }
  return pool->take_free(size_class);
}

void give_to_maker(Slab& slab, FreeBlock& freed) {
  slab.owner->returned[slab.size_class].push(&freed);
}

}  // namespace bobbin
