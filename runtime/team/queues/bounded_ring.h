// SPDX-License-Identifier: Apache-2.0
// A bounded queue with one producer and one consumer at a time, which needs no lock between the
// two. The user of this class makes sure that there is one consumer at a time (bounded_queue.h).
//
// Two indices name positions in an endless sequence; an item's slot is its position mod capacity.
//
//   top      all items below have been taken. Written by the consumer.
//   bottom   one past the youngest. Raised by the producer. The consumer lowers it, but only while
//            the producer itself waits for what the consumer does (`Taker::Owner`).
//
// Invariant: a slot in [top, bottom) holds an item, or null (a hole) if the item was taken out of
// turn; bottom - top <= capacity, whatever limit() says. The producer writes a slot before it
// raises bottom (release; the consumer's acquire sees what the item points to). It uses a slot
// again only after it has seen that top has passed the item of the lap before (acquire; the
// consumer's release). A consumer makes holes and moves top over them. If only the youngest items
// are taken, holes at the young end would fill the ring. So requests of the owner also give these
// holes back.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

enum class QueueEnd : std::uint8_t { Oldest, Youngest };
enum class Taker : std::uint8_t { Owner, Thief };

template <class T, std::int64_t kCapacity>
class BoundedRing {
  static_assert((kCapacity & (kCapacity - 1)) == 0);

 public:
  // For the producer: so many places are used from now on, at most all.
  void limit(std::int64_t places) { places_ = places < kCapacity ? places : kCapacity; }

  // For the producer. False: full.
  [[nodiscard]] bool push(T* item) {
    std::int64_t bottom = bottom_.load(relaxed);
    if (bottom - known_top_ >= places_) {
      known_top_ = top_.load(acquire);
      if (bottom - known_top_ >= places_) return false;
    }
    slot(bottom).store(item, relaxed);
    pushed_.store(pushed_.load(relaxed) + 1, relaxed);
    bottom_.store(bottom + 1, release);
    return true;
  }

  // For the consumer: the item nearest to that end for which fits(T*) holds, or null.
  template <class Fits>
  T* take(QueueEnd end, Taker taker, Fits&& fits) {
    std::int64_t bottom = bottom_.load(acquire);
    std::int64_t top = top_.load(relaxed);
    T* item = nullptr;
    for (std::int64_t n = 0; n < bottom - top && item == nullptr; n++) {
      Atomic<T*>& place = slot(end == QueueEnd::Oldest ? top + n : bottom - 1 - n);
      T* found = place.load(relaxed);
      if (found == nullptr || !fits(found)) continue;
      place.store(nullptr, relaxed);
      item = found;
    }
    if (item == nullptr) return nullptr;
    if (taker == Taker::Thief) stolen_.store(stolen_.load(relaxed) + 1, relaxed);
    taken_.store(taken_.load(relaxed) + 1, relaxed);
    drop_holes(top, bottom, taker);
    return item;
  }

  // How many items there were a moment ago.
  std::int64_t size() const {
    std::int64_t taken = taken_.load(relaxed);
    std::int64_t pushed = pushed_.load(relaxed);
    return pushed > taken ? pushed - taken : 0;
  }

  std::int64_t stolen() const { return stolen_.load(relaxed); }

 private:
  Atomic<T*>& slot(std::int64_t index) { return slots_[index & (kCapacity - 1)]; }

  void drop_holes(std::int64_t top, std::int64_t bottom, Taker taker) {
    std::int64_t first = top;
    while (first < bottom && slot(first).load(relaxed) == nullptr) first++;
    if (first != top) top_.store(first, release);
    if (taker != Taker::Owner) return;
    std::int64_t last = bottom;
    while (last > first && slot(last - 1).load(relaxed) == nullptr) last--;
    if (last != bottom) bottom_.store(last, release);
  }

  // Written by the consumer, read by all.
  alignas(kCacheLine) Atomic<std::int64_t> top_{0};
  Atomic<std::int64_t> taken_{0};
  Atomic<std::int64_t> stolen_{0};  // of those, by thieves
  // Written by the producer (bottom_ also on its behalf), read by all.
  alignas(kCacheLine) Atomic<std::int64_t> bottom_{0};
  Atomic<std::int64_t> pushed_{0};
  std::int64_t places_ = kCapacity;
  std::int64_t known_top_ = 0;  // the producer's copy: saves push() a cache miss
  alignas(kCacheLine) Atomic<T*> slots_[kCapacity] = {};
};

}  // namespace bobbin
