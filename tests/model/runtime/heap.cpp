// SPDX-License-Identifier: Apache-2.0
// malloc and free of the code under test (ld --wrap). The memory belongs to the execution and is
// freed with it, and uses after its release are found. A block is never reused, so the order in
// which threads allocate makes no difference.
#include <cstddef>
#include <cstdint>

#include "model/engine.h"
#include "model/runtime/world.h"
#include "model/scheduler.h"

namespace {

using bobbin::model::memory_is_used_up;
using bobbin::model::scheduler;

// The size lies before the block.
constexpr std::size_t kHeader = 64;

void* take(std::size_t alignment, std::size_t size) {
  if (alignment < kHeader) alignment = kHeader;
  auto room = reinterpret_cast<std::uintptr_t>(scheduler->allocate_fresh(size + 2 * alignment));
  auto* block = reinterpret_cast<std::size_t*>((room + 2 * alignment - 1) & ~(alignment - 1));
  block[-1] = size;
  return block;
}

}  // namespace

extern "C" {

void* __real_malloc(std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void __real_free(void* block);

void* __wrap_malloc(std::size_t size) {
  if (scheduler == nullptr) return __real_malloc(size);
  return memory_is_used_up ? nullptr : take(1, size);
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  if (scheduler == nullptr) return __real_aligned_alloc(alignment, size);
  return memory_is_used_up ? nullptr : take(alignment, size);
}

void __wrap_free(void* block) {
  if (scheduler == nullptr || !scheduler->owns(block)) {
    __real_free(block);
    return;
  }
  std::size_t size = static_cast<std::size_t*>(block)[-1];
  scheduler->require(scheduler->memory().retire(scheduler->current(), block, size),
                     bobbin::model::Where::current());
}
}
