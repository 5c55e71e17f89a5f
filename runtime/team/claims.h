// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// A set of member numbers from which several workers take: the unbegun threads of a team, the
// sleepers at a barrier. A bit is taken by exactly one; setting and taking it order what was written
// before the set before what the taker does (release, acquire on the same word).
class Claims {
 public:
  static constexpr unsigned words_for(unsigned count) { return (count + 63) / 64; }

  // `storage`: words_for(count) words, all zero; it outlives the set.
  void place(Atomic<uint64_t>* storage, unsigned count) {
    bits_ = storage;
    words_ = words_for(count);
  }

  // Numbers first .. count-1; not concurrently with takers that could matter.
  void fill(unsigned first, unsigned count) {
    for (unsigned word = 0; word < words_; word++) {
      unsigned from = word * 64;
      uint64_t mask = ~uint64_t{0};
      if (count - from < 64) mask = (uint64_t{1} << (count - from)) - 1;
      if (from < first) mask &= first - from >= 64 ? 0 : ~uint64_t{0} << (first - from);
      bits_[word].store(mask, release);
    }
  }

  void set(unsigned number) { bits_[number / 64].fetch_or(bit(number), acq_rel); }

  bool take(unsigned number) {
    if ((bits_[number / 64].load(relaxed) & bit(number)) == 0) return false;
    return (bits_[number / 64].fetch_and(~bit(number), acq_rel) & bit(number)) != 0;
  }

  // The lowest number in the set, or -1.
  int take_lowest() {
    for (unsigned word = 0; word < words_; word++) {
      uint64_t seen = bits_[word].load(relaxed);
      while (seen != 0) {
        if (bits_[word].compare_exchange_weak(seen, seen & (seen - 1), acq_rel, relaxed)) {
          return static_cast<int>(word * 64) + std::countr_zero(seen);
        }
      }
    }
    return -1;
  }

  template <class Visit>
  void take_all(Visit&& visit) {
    for (unsigned word = 0; word < words_; word++) {
      if (bits_[word].load(relaxed) == 0) continue;
      uint64_t taken = bits_[word].exchange(0, acq_rel);
      for (; taken != 0; taken &= taken - 1) {
        visit(word * 64 + static_cast<unsigned>(std::countr_zero(taken)));
      }
    }
  }

  bool any() const {
    for (unsigned word = 0; word < words_; word++) {
      if (bits_[word].load(relaxed) != 0) return true;
    }
    return false;
  }

 private:
  static uint64_t bit(unsigned number) { return uint64_t{1} << (number % 64); }

  Atomic<uint64_t>* bits_ = nullptr;
  unsigned words_ = 0;
};

}  // namespace bobbin
