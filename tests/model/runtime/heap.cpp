// SPDX-License-Identifier: Apache-2.0
// malloc and free of the code under test (ld --wrap): the memory is the execution's and goes with
// it, and its uses are checked against its release. A block is never handed out again, so that the
// order in which threads allocate makes no difference.
#include <cstddef>

#include "model/engine.h"
#include "model/scheduler.h"

namespace {

using bobbin::model::scheduler;

constexpr std::size_t kHeader = 64;

void* take(std::size_t size) {
  auto* block = static_cast<char*>(scheduler->allocate_fresh(size + kHeader));
  *reinterpret_cast<std::size_t*>(block) = size;
  return block + kHeader;
}

}  // namespace

extern "C" {

void* __real_malloc(std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void __real_free(void* block);

void* __wrap_malloc(std::size_t size) {
  return scheduler != nullptr ? take(size) : __real_malloc(size);
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return scheduler != nullptr ? take(size) : __real_aligned_alloc(alignment, size);
}

void __wrap_free(void* block) {
  if (scheduler == nullptr || !scheduler->owns(block)) {
    __real_free(block);
    return;
  }
  std::size_t size = *reinterpret_cast<std::size_t*>(static_cast<char*>(block) - kHeader);
  scheduler->require(scheduler->memory().retire(scheduler->current(), block, size),
                     bobbin::model::Where::current());
}
}
