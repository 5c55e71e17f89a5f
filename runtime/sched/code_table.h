// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// What is known of regions, by the code that they execute; `Entry` has a member `code`. Small: of
// codes that meet in a slot the last one stays.
template <class Entry>
class CodeTable {
 public:
  const Entry* find(const void* code) const {
    const Entry& entry = entries_[slot_of(code)];
    return entry.code == code ? &entry : nullptr;
  }
  Entry* find(const void* code) {
    Entry& entry = entries_[slot_of(code)];
    return entry.code == code ? &entry : nullptr;
  }
  Entry& find_or_make(const void* code) {
    Entry& entry = entries_[slot_of(code)];
    if (entry.code != code) {
      entry = Entry{};
      entry.code = code;
    }
    return entry;
  }

 private:
  static constexpr unsigned kBits = 4;
  static unsigned slot_of(const void* code) {  // Fibonacci hashing
    return static_cast<unsigned>((reinterpret_cast<uint64_t>(code) * 0x9e3779b97f4a7c15u) >>
                                 (64 - kBits));
  }

  Entry entries_[1u << kBits] = {};
};

}  // namespace bobbin
