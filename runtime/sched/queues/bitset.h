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

// A set whose words lie elsewhere, one for each 64 numbers. `stride` is the distance from one word
// to the next: where more than 64 processors may claim, each word is apart, on a cache line of its
// own.
class BitsetView {
 public:
  static constexpr unsigned kApart = kCacheLine / sizeof(std::uint64_t);  // a stride
  static constexpr unsigned words_for(unsigned count) { return (count + 63) / 64; }

  BitsetView() = default;
  constexpr BitsetView(Atomic<std::uint64_t>* words, unsigned word_count, unsigned stride = 1)
      : words_(words), word_count_(word_count), stride_(stride) {}

  // The word in which the number's bit is.
  Atomic<std::uint64_t>& word_of(unsigned number) const { return word(number / 64); }

  // Puts first .. count-1 into the set, and nothing else. Called by the owner before others see the
  // set. The stores are releases because another thread may still look at a set that it found
  // earlier.
  void fill(unsigned first, unsigned count) {
    for (unsigned i = 0; i < word_count_; ++i) {
      word(i).store(low_bits(count, i) & ~low_bits(first, i), release);
    }
  }

  // Returns whether the number is new in the set.
  bool set(unsigned number) {
    std::uint64_t bit = std::uint64_t{1} << number % 64;
    return (word_of(number).fetch_or(bit, release) & bit) == 0;
  }

  bool claim(unsigned number) {
    std::uint64_t bit = std::uint64_t{1} << number % 64;
    Atomic<std::uint64_t>& in = word_of(number);
    if ((in.load(relaxed) & bit) == 0) return false;
    return (in.fetch_and(~bit, acq_rel) & bit) != 0;
  }

  // Returns the number claimed, or -1.
  int claim_lowest() {
    for (unsigned i = 0; i < word_count_; ++i) {
      const int number = claim_in(i, [](std::uint64_t left) { return left; });
      if (number >= 0) return number;
    }
    return -1;
  }

  // Any number, those of the word of `first` before others. Callers that give different numbers
  // mostly try to claim different ones.
  int claim_any(unsigned first) {
    unsigned i = first / 64 < word_count_ ? first / 64 : 0;
    for (unsigned step = 0; step < word_count_; ++step) {
      const int number = claim_in(i, [first](std::uint64_t left) {
        for (auto skip = first % static_cast<unsigned>(std::popcount(left)); skip != 0; --skip) {
          left &= left - 1;
        }
        return left;
      });
      if (number >= 0) return number;
      if (++i == word_count_) i = 0;
    }
    return -1;
  }

  // visit(number) for each that was in the set when its word was read, until it returns true. It
  // begins with the word of `first`, and in each word with the bit that `first` has in its own.
  template <class Visit>
  void each_from(unsigned first, Visit&& visit) const {
    const std::uint64_t from_first = ~std::uint64_t{0} << first % 64;
    unsigned i = first / 64 < word_count_ ? first / 64 : 0;
    for (unsigned step = 0; step < word_count_; ++step) {
      const std::uint64_t seen = word(i).load(relaxed);
      for (const std::uint64_t part : {seen & from_first, seen & ~from_first}) {
        for (std::uint64_t left = part; left != 0; left &= left - 1) {
          if (visit(64 * i + static_cast<unsigned>(std::countr_zero(left)))) return;
        }
      }
      if (++i == word_count_) i = 0;
    }
  }

  // The lowest number that was in the set at some moment, or -1.
  int lowest() const {
    for (unsigned i = 0; i < word_count_; ++i) {
      std::uint64_t seen = word(i).load(relaxed);
      if (seen != 0) return static_cast<int>(64 * i) + std::countr_zero(seen);
    }
    return -1;
  }

  // Takes all that are in the set: visit(number) for each.
  template <class Visit>
  void claim_all(Visit&& visit) {
    for (unsigned i = 0; i < word_count_; ++i) {
      if (word(i).load(relaxed) == 0) continue;
      for (std::uint64_t left = word(i).exchange(0, acq_rel); left != 0; left &= left - 1) {
        visit(64 * i + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }

  bool has(unsigned number) const {
    return (word_of(number).load(relaxed) >> number % 64 & 1) != 0;
  }

  bool any() const {
    for (unsigned i = 0; i < word_count_; ++i) {
      if (word(i).load(relaxed) != 0) return true;
    }
    return false;
  }

  bool has_at_least(unsigned wanted) const {
    for (unsigned i = 0; i < word_count_ && wanted != 0; ++i) {
      for (std::uint64_t left = word(i).load(relaxed); left != 0 && wanted != 0; --wanted) {
        left &= left - 1;
      }
    }
    return wanted == 0;
  }

  unsigned count() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < word_count_; ++i) {
      sum += static_cast<unsigned>(std::popcount(word(i).load(relaxed)));
    }
    return sum;
  }

 private:
  friend struct DebuggerView;

  Atomic<std::uint64_t>& word(unsigned i) const { return words_[i * stride_]; }

  // Claims in one word the lowest number of those that choose(bits) leaves, or returns -1. It takes
  // one bit, and does not exchange the word: a claim of another bit does not make this one fail.
  template <class Choose>
  int claim_in(unsigned i, Choose&& choose) {
    while (const std::uint64_t left = word(i).load(relaxed)) {
      const int number = std::countr_zero(choose(left));
      const std::uint64_t bit = std::uint64_t{1} << number;
      if ((word(i).fetch_and(~bit, acq_rel) & bit) != 0) return static_cast<int>(64 * i) + number;
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
  unsigned stride_ = 1;
};

template <unsigned kWords>
class AtomicBitset {
 public:
  static constexpr unsigned kCapacity = 64 * kWords;

  bool set(unsigned number) { return view().set(number); }
  bool claim(unsigned number) { return view().claim(number); }
  int claim_lowest() { return view().claim_lowest(); }
  int claim_any(unsigned first) { return view().claim_any(first); }
  int lowest() const { return view().lowest(); }
  bool has(unsigned number) const { return view().has(number); }
  bool any() const { return view().any(); }
  unsigned count() const { return view().count(); }

 private:
  // The view of a constant set is used for reading only.
  BitsetView view() const { return {const_cast<Atomic<std::uint64_t>*>(words_), kWords}; }

  Atomic<std::uint64_t> words_[kWords] = {};
};

}  // namespace bobbin
