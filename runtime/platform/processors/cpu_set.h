// SPDX-License-Identifier: Apache-2.0
//
// A set of processors by the kernel's numbers. Unlike cpu_set_t it does not end at 1024.
#pragma once

#include <bit>
#include <cstdint>

namespace bobbin {

// The largest NR_CPUS of any architecture that Linux is configured for.
inline constexpr unsigned kMaxCpus = 8192;

class CpuSet {
 public:
  static constexpr unsigned kWords = kMaxCpus / 64;

  // A number out of range is in no set.
  bool has(unsigned cpu) const {
    return cpu < kMaxCpus && ((words_[cpu / 64] >> (cpu % 64)) & 1) != 0;
  }
  void add(unsigned cpu) {
    if (cpu < kMaxCpus) words_[cpu / 64] |= std::uint64_t{1} << (cpu % 64);
  }
  void remove(unsigned cpu) {
    if (cpu < kMaxCpus) words_[cpu / 64] &= ~(std::uint64_t{1} << (cpu % 64));
  }
  unsigned count() const {
    unsigned n = 0;
    for (std::uint64_t word : words_) n += static_cast<unsigned>(std::popcount(word));
    return n;
  }
  bool empty() const { return next(0) == kMaxCpus; }

  // The least member that is not less than `cpu`; kMaxCpus if there is none.
  unsigned next(unsigned cpu) const {
    if (cpu >= kMaxCpus) return kMaxCpus;
    unsigned word = cpu / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (cpu % 64));
    while (bits == 0) {
      if (++word == kWords) return kMaxCpus;
      bits = words_[word];
    }
    return word * 64 + static_cast<unsigned>(std::countr_zero(bits));
  }

  template <class Visit>
  void each(Visit visit) const {
    for (unsigned cpu = next(0); cpu < kMaxCpus; cpu = next(cpu + 1)) visit(cpu);
  }

  // Is every member also a member of `other`?
  bool within(const CpuSet& other) const {
    for (unsigned i = 0; i < kWords; ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }

  void intersect(const CpuSet& other) {
    for (unsigned i = 0; i < kWords; ++i) words_[i] &= other.words_[i];
  }
  void unite(const CpuSet& other) {
    for (unsigned i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
  }
  void subtract(const CpuSet& other) {
    for (unsigned i = 0; i < kWords; ++i) words_[i] &= ~other.words_[i];
  }

  friend bool operator==(const CpuSet&, const CpuSet&) = default;

  // In the form that sched_setaffinity and sched_getaffinity take.
  void* data() { return words_; }
  const void* data() const { return words_; }

 private:
  std::uint64_t words_[kWords] = {};
};

}  // namespace bobbin
