// SPDX-License-Identifier: Apache-2.0
#include "fiber/signal_store.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <new>

namespace bobbin {
namespace {

uint64_t most_pending() {
  struct rlimit64 limit = {};
  const long failed =
      raw_syscall(SYS_prlimit64, 0, RLIMIT_SIGPENDING, 0, reinterpret_cast<long>(&limit));
  return failed == 0 ? limit.rlim_cur : 0;
}

}  // namespace

QueuedSignal* SignalStore::Block::take() {
  uint64_t seen = unused.load(relaxed);
  while (seen != 0) {
    const uint64_t bit = seen & -seen;
    seen = unused.fetch_and(~bit, acquire);
    if ((seen & bit) != 0) return &entries[__builtin_ctzll(bit)];
  }
  return nullptr;
}

SignalStore::Block* SignalStore::make_block() {
  const long memory = raw_syscall(SYS_mmap, 0, sizeof(Block), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory > 0 ? new (reinterpret_cast<void*>(memory)) Block : nullptr;
}

QueuedSignal* SignalStore::take() {
  if (QueuedSignal* entry = first_.take()) return entry;
  for (Block* block = more_.load(acquire); block != nullptr; block = block->next) {
    if (QueuedSignal* entry = block->take()) return entry;
  }
  if (uint64_t{blocks_.load(relaxed)} * kEntries >= most_pending()) return nullptr;
  Block* made = make_block();
  if (made == nullptr) return nullptr;
  QueuedSignal* entry = made->take();
  made->next = more_.load(relaxed);
  while (!more_.compare_exchange_weak(made->next, made, release, relaxed)) {
  }
  blocks_.fetch_add(1, relaxed);
  return entry;
}

void SignalStore::give(QueuedSignal& entry) {
  Block* block = &first_;
  for (Block* other = more_.load(acquire); other != nullptr; other = other->next) {
    if (&entry >= other->entries && &entry < other->entries + kEntries) block = other;
  }
  block->unused.fetch_or(uint64_t{1} << (&entry - block->entries), release);
}

}  // namespace bobbin
