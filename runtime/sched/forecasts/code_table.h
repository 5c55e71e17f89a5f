// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/hash.h"

namespace bobbin {

// What is known about regions, by the code that they execute; `Entry` has a member `code`. The
// table is small: if several codes fall into one slot, the last one stays.
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
  static std::uint64_t slot_of(const void* code) { return fibonacci_hash(code, kBits); }

  Entry entries_[1u << kBits] = {};
};

}  // namespace bobbin
