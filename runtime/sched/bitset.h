// SPDX-License-Identifier: Apache-2.0
// A set of small numbers: idle workers, unbegun threads. Each number is claimed by exactly one
// thread.
//
// A bit goes 0 -> 1 by set() (release) and 1 -> 0 by a claim (acquire and release). The claim that
// clears a bit owns what the number stands for, and sees all that was written before set(). A later
// set() of the same number sees what the former owner wrote. Claims of other bits of the word are
// read-modify-writes, so they continue the release sequences of all bits.
//
// Nothing here orders a store before a load. "Announce, then look" on one side and "publish, then
// look for announcements" on the other side need a fence(seq_cst) between the two steps on both
// sides. A search that finds nothing says only that each word was empty at the moment it was read.
#pragma once

#include <bit>
#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// A set whose words lie elsewhere, one for each 64 numbers.
class BitsetView {
 public:
  static constexpr unsigned words_for(unsigned count) { return (count + 63) / 64; }

  BitsetView() = default;
  BitsetView(Atomic<std::uint64_t>* words, unsigned word_count)
      : words_(words), word_count_(word_count) {}

  // Puts first .. count-1 into the set, and nothing else. Called by the owner before others see the
  // set. The stores are releases because another thread may still look at a set that it found
  // earlier.
  void fill(unsigned first, unsigned count) {
    for (unsigned i = 0; i < word_count_; ++i) {
      words_[i].store(low_bits(count, i) & ~low_bits(first, i), release);
    }
  }

  // Returns whether the number is new in the set.
  bool set(unsigned number) {
    std::uint64_t bit = std::uint64_t{1} << number % 64;
    return (words_[number / 64].fetch_or(bit, release) & bit) == 0;
  }

  bool claim(unsigned number) {
    std::uint64_t bit = std::uint64_t{1} << number % 64;
    Atomic<std::uint64_t>& word = words_[number / 64];
    if ((word.load(relaxed) & bit) == 0) return false;
    return (word.fetch_and(~bit, acq_rel) & bit) != 0;
  }

  // Returns the number claimed, or -1.
  int claim_lowest() { return claim_not_below(0); }

  // The same, but numbers from `first` on come first.
  int claim_from(unsigned first) {
    const int number = claim_not_below(first);
    return number >= 0 || first == 0 ? number : claim_lowest();
  }

  // visit(number) for each that was in the set when its word was read.
  template <class Visit>
  void each(Visit&& visit) const {
    for (unsigned i = 0; i < word_count_; ++i) {
      for (std::uint64_t left = words_[i].load(relaxed); left != 0; left &= left - 1) {
        visit(64 * i + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }

  // The lowest number that was in the set at some moment, or -1.
  int lowest() const {
    for (unsigned i = 0; i < word_count_; ++i) {
      std::uint64_t seen = words_[i].load(relaxed);
      if (seen != 0) return static_cast<int>(64 * i) + std::countr_zero(seen);
    }
    return -1;
  }

  // Takes all that are in the set: visit(number) for each.
  template <class Visit>
  void claim_all(Visit&& visit) {
    for (unsigned i = 0; i < word_count_; ++i) {
      if (words_[i].load(relaxed) == 0) continue;
      for (std::uint64_t left = words_[i].exchange(0, acq_rel); left != 0; left &= left - 1) {
        visit(64 * i + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }

  bool has(unsigned number) const {
    return (words_[number / 64].load(relaxed) >> number % 64 & 1) != 0;
  }

  bool any() const {
    for (unsigned i = 0; i < word_count_; ++i) {
      if (words_[i].load(relaxed) != 0) return true;
    }
    return false;
  }

  unsigned count() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < word_count_; ++i) {
      sum += static_cast<unsigned>(std::popcount(words_[i].load(relaxed)));
    }
    return sum;
  }

 private:
  friend struct DebuggerView;

  int claim_not_below(unsigned first) {
    std::uint64_t wanted = ~std::uint64_t{0} << first % 64;
    for (unsigned i = first / 64; i < word_count_; ++i, wanted = ~std::uint64_t{0}) {
      std::uint64_t seen = words_[i].load(relaxed);
      while (const std::uint64_t left = seen & wanted) {
        const std::uint64_t lowest = left & -left;
        if (words_[i].compare_exchange_weak(seen, seen & ~lowest, acq_rel, relaxed)) {
          return static_cast<int>(64 * i) + std::countr_zero(lowest);
        }
      }
    }
    return -1;
  }

  // The bits of word i that stand for numbers below count.
  static std::uint64_t low_bits(unsigned count, unsigned i) {
    unsigned here = count < 64 * i ? 0 : count - 64 * i;
    return here >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
  }

  Atomic<std::uint64_t>* words_ = nullptr;
  unsigned word_count_ = 0;
};

template <unsigned kWords>
class AtomicBitset {
 public:
  static constexpr unsigned kCapacity = 64 * kWords;

  bool set(unsigned number) { return view().set(number); }
  bool claim(unsigned number) { return view().claim(number); }
  int claim_lowest() { return view().claim_lowest(); }
  int claim_from(unsigned first) { return view().claim_from(first); }
  int lowest() const { return view().lowest(); }
  template <class Visit>
  void each(Visit&& visit) const {
    view().each(visit);
  }
  bool has(unsigned number) const { return view().has(number); }
  bool any() const { return view().any(); }
  unsigned count() const { return view().count(); }

 private:
  // The view of a constant set is used for reading only.
  BitsetView view() const { return {const_cast<Atomic<std::uint64_t>*>(words_), kWords}; }

  Atomic<std::uint64_t> words_[kWords] = {};
};

}  // namespace bobbin
