// SPDX-License-Identifier: Apache-2.0
#include "construct/memory/pinned_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"

namespace bobbin {
namespace {

// The length of a small block is a power of two, at most half a page. That distinguishes it from a
// large block, which is a mapping of whole pages.
constexpr std::size_t kSmallest = 64;
constexpr unsigned kSizes = 6;
constexpr std::size_t kLargestSmall = kSmallest << (kSizes - 1);
static_assert(kLargestSmall * 2 == 4096, "the smallest page");

struct FreeBlock {
  FreeBlock* next;
};

SpinLock lock;
FreeBlock* free_blocks[kSizes];  // by size

FreeBlock*& free_blocks_of(std::size_t length) {
  return free_blocks[std::countr_zero(length) - std::countr_zero(kSmallest)];
}

void put_back(void* base, std::size_t length) {
  FreeBlock*& first = free_blocks_of(length);
  first = new (base) FreeBlock{first};
}

void* lock_pages(std::size_t length) {
  void* pages = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  if (mlock(pages, length) == 0) return pages;
  munmap(pages, length);
  return nullptr;
}

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

bool split_another_page(std::size_t length) {
  const std::size_t size = page_size();
  char* page = static_cast<char*>(lock_pages(size));
  if (page == nullptr) return false;
  for (std::size_t at = size; at != 0; at -= length) put_back(page + at - length, length);
  return true;
}

PinnedBlock take_small(std::size_t bytes) {
  const std::size_t length = std::max(std::bit_ceil(bytes), kSmallest);
  FreeBlock* block;
  {
    SpinGuard guard(lock);
    FreeBlock*& first = free_blocks_of(length);
    if (first == nullptr && !split_another_page(length)) return {};
    block = first;
    first = block->next;
  }
  return {std::memset(block, 0, length), length};
}

bool forked;  // this process is the child of a fork; written before it has other threads

// A child does not inherit memory locks, so its free blocks are not pinned and cannot be handed
// out.
void forget_free_blocks() {
  std::fill(std::begin(free_blocks), std::end(free_blocks), nullptr);
  forked = true;
}

}  // namespace

void init_pinned_memory() { add_fork_lock(held_across_fork<lock, forget_free_blocks>); }

PinnedBlock take_pinned(std::size_t bytes) {
  if (bytes <= kLargestSmall) return take_small(bytes);
  const std::size_t length = round_up(bytes, page_size());
  void* pages = lock_pages(length);
  if (pages == nullptr) return {};
  return {pages, length};
}

void give_back_pinned(PinnedBlock block) {
  if (block.length > kLargestSmall) {
    munmap(block.base, block.length);
    return;
  }
  // The block may have been handed out before the fork. Locking locked memory again changes
  // nothing.
  if (forked && mlock(block.base, block.length) != 0) return;
  SpinGuard guard(lock);
  put_back(block.base, block.length);
}

}  // namespace bobbin
