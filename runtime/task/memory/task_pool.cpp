// SPDX-License-Identifier: Apache-2.0
#include "task/memory/task_pool.h"

#include <bit>
#include <cstdlib>
#include <new>

#include "platform/memory.h"
#include "platform/watchers/happens_before.h"

namespace bobbin {
namespace {

unsigned class_of(size_t bytes) {
  if (bytes <= TaskPool::kLargestStep) return TaskPool::class_of_step(bytes);
  return static_cast<unsigned>(std::bit_width(bytes - 1)) - 2;
}

size_t bytes_of(unsigned size_class) {
  return size_class < 8 ? (size_class + 1) * kCacheLine : size_t{1} << (size_class + 2);
}

Atomic<size_t> slabs_made{0};

Slab* make_slab(TaskPool* owner, unsigned size_class) {
  void* memory = aligned_alloc(Slab::kBytes, Slab::kBytes);
  if (memory != nullptr) slabs_made.fetch_add(1, relaxed);
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

// The block was written last by another processor. This fetches the lines that every task uses.
void fetch(const void* block) {
  prefetch_to_write(block);
  prefetch_to_write(static_cast<const char*>(block) + kCacheLine);
}

// nullptr: no block has come back.
void* take_returned(TaskPool& pool, unsigned size_class) {
  ReturnedBlocks& at_hand = pool.at_hand[size_class];
  if (at_hand.count != 0) return at_hand.blocks[--at_hand.count];
  FreeBlock*& back = pool.back[size_class];
  FreeBlock* block = back != nullptr ? back : pool.returned[size_class].take_all();
  if (block == nullptr) return nullptr;
  back = block->next;
  if (back != nullptr) fetch(back);
  if (size_class != 0) {
    at_hand = ReturnedBlocks::in(block);
    for (unsigned i = 0; i < at_hand.count; i++) fetch(at_hand.blocks[i]);
  }
  return block;
}

}  // namespace

size_t bytes_of_task_pools() { return slabs_made.load(relaxed) * Slab::kBytes; }

TaskPool* make_task_pool(Worker& worker) { return worker.task_pool = make_lasting<TaskPool>(); }

void* take_task_block(Worker& worker, size_t bytes) {
  TaskPool* pool = task_pool_of(worker);
  if (pool == nullptr) [[unlikely]]
    return nullptr;
  unsigned size_class = class_of(bytes);
  if (pool->free[size_class] != nullptr) return pool->take_free(size_class);
  void* block = take_returned(*pool, size_class);
  if (block != nullptr) maker_happens_after(block);
  return block != nullptr ? block : take_unused(*pool, size_class);
}

void BlockReturns::add(FreeBlock* block) {
  const Slab* slab = Slab::of(block);
  if (first_ != nullptr) {
    const Slab* others = Slab::of(first_);
    ReturnedBlocks& returned = ReturnedBlocks::in(first_);
    if (others->owner == slab->owner && others->size_class == slab->size_class &&
        returned.count < ReturnedBlocks::kMost) {
      returned.blocks[returned.count++] = block;
      return;
    }
    flush();
  }
  if (slab->size_class == 0) {
    happens_before(block);
    slab->owner->returned[0].push(block);
    return;
  }
  first_ = block;
  ReturnedBlocks::in(block).count = 0;
}

namespace {

// The block that names the others comes last, because it is read until then.
void tell_returned(void* block) {
  const ReturnedBlocks& others = ReturnedBlocks::in(block);
  for (unsigned i = 0; i < others.count; i++) happens_before(others.blocks[i]);
  happens_before(block);
}

}  // namespace

void BlockReturns::flush() {
  if (first_ == nullptr) return;
  const Slab* slab = Slab::of(first_);
  if (looks_for_races()) [[unlikely]]
    tell_returned(first_);
  slab->owner->returned[slab->size_class].push(first_);
  first_ = nullptr;
}

void give_to_maker(FreeBlock& freed) {
  BlockReturns returns;
  returns.add(&freed);
}

}  // namespace bobbin
