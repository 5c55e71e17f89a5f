// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/signals/signal_set.h"

namespace bobbin {

// A real-time signal that was sent to a thread and that it has not handled yet.
struct QueuedSignal {
  siginfo_t info = {};
  QueuedSignal* next = nullptr;
};

// Where queued signals lie. Async-signal-safe: no lock, and memory comes from the kernel.
//
// Invariant: an entry belongs to the thread that has cleared its bit in `unused`, until that thread
// or the one that it has handed the entry to sets the bit again. Blocks are added and never
// removed.
class SignalStore {
 public:
  // nullptr: as many signals are queued as the process may have pending, or there is no memory.
  QueuedSignal* take();
  void give(QueuedSignal& entry);

 private:
  static constexpr unsigned kEntries = 64;

  struct Block {
    Atomic<uint64_t> unused{~uint64_t{0}};
    Block* next = nullptr;
    QueuedSignal entries[kEntries];
    QueuedSignal* take();
  };
  static Block* make_block();

  Block first_;  // so that there is room for some in any case
  Atomic<Block*> more_{nullptr};
  Atomic<unsigned> blocks_{1};
};

}  // namespace bobbin
