// SPDX-License-Identifier: Apache-2.0
// The map from addresses to the tasks that named them last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "task/model/depend_list.h"

namespace bobbin {

struct DependLink;
struct DependNode;

// One address that tasks depended on: its current generation, and the node that each of its members
// waits for. A generation is a set of tasks of one kind that do not wait for each other. If the
// kind is Out, it is a single task.
struct DependEntry {
  uintptr_t key;        // see DependMap::key_of; 0: a free slot
  DependLink* members;  // the youngest first
  DependNode* before;   // the node that a new member waits for; nullptr: nothing
  uint32_t exclusion;   // number of the mutexinoutset members' exclusion; 0: none yet
  uint32_t room : 24;   // how many may join before completed members are looked for
  uint32_t kind_bits : 2;
  uint32_t discarded : 1;

  DependKind kind() const { return static_cast<DependKind>(kind_bits); }
  void set_kind(DependKind kind) { kind_bits = static_cast<uint32_t>(kind) & 3; }
};
static_assert(sizeof(DependEntry) == 32);

// A map from addresses to entries: open addressing, linear probing, at most half full. Entries are
// never removed one by one. When a large table has no more room, the entries of no interest any
// more are dropped; if that is not enough, it grows.
class DependMap {
 public:
  DependMap() = default;
  DependMap(const DependMap&) = delete;
  DependMap& operator=(const DependMap&) = delete;
  ~DependMap() { free(slots_); }

  size_t count() const { return count_; }
  size_t capacity() const { return slots_ == nullptr ? 0 : mask_ + 1; }

  // nullptr if there is none.
  DependEntry* find(uintptr_t address) {
    if (count_ == 0) return nullptr;
    DependEntry& slot = slot_for(address);
    return slot.key != 0 ? &slot : nullptr;
  }

  // Where the search for a key begins. The capacity must not be 0. Neighbours in memory are
  // neighbours here, because programs go through their data in order. The strides of matrices and
  // their blocks, large powers of two, do not meet in one place. Each address within
  // a word has an eighth of the table to itself; otherwise arrays of int and char would fill it
  // without a gap.
  size_t home_of(uintptr_t key) const {
    const size_t word = (key >> 3) ^ (key >> 9) ^ (key >> 16) ^ (key >> 24);
    return (word + (key & 7) * (mask_ / 8 + 1)) & mask_;
  }

  // Returns the entry. `is_new`: it was made just now, and all of it except the key is zero.
  // reserve() has made sure that there is room.
  DependEntry& enter(uintptr_t address, bool& is_new) {
    DependEntry& slot = slot_for(address);
    is_new = slot.key == 0;
    if (is_new) [[unlikely]] {
      slot.key = key_of(address);
      count_++;
    }
    return slot;
  }

  static uintptr_t address_of(const DependEntry& entry) {
    return entry.key == ~uintptr_t{0} ? 0 : entry.key;
  }

  // Makes room for `more` addresses. discard(entry) says whether the entry is of no interest any
  // more. If so, it releases what the entry holds, and the entry is then as good as new. False: out
  // of memory.
  template <class Discard>
  bool reserve(size_t more, Discard&& discard) {
    if (has_room(count_ + more)) [[likely]]
      return true;
    return make_room(more, discard);
  }

  template <class Visit>
  void for_each(Visit&& visit) {
    for (size_t i = 0, n = capacity(); i < n; i++) {
      if (slots_[i].key != 0) visit(slots_[i]);
    }
  }

  // Forgets all entries, and a large table too.
  void clear() {
    count_ = 0;
    if (capacity() <= kFirstCapacity) {
      if (slots_ != nullptr) memset(slots_, 0, capacity() * sizeof(DependEntry));
      return;
    }
    free(slots_);
    slots_ = nullptr;
    mask_ = 0;
  }

 private:
  friend struct DebuggerView;

  static constexpr size_t kFirstCapacity = 16;
  static constexpr size_t kWorthCleaning = 4096;

  // The null pointer is an address like others.
  static uintptr_t key_of(uintptr_t address) { return address != 0 ? address : ~uintptr_t{0}; }

  bool has_room(size_t count) const { return slots_ != nullptr && 2 * count <= mask_ + 1; }

  DependEntry& slot_for(uintptr_t address) {
    uintptr_t key = key_of(address);
    size_t at = home_of(key);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & mask_;
    return slots_[at];
  }

  template <class Discard>
  [[gnu::noinline]] bool make_room(size_t more, Discard&& discard) {
    size_t kept = 0;
    // While the table is small, looking at every entry's tasks would cost more than keeping the
    // entry.
    bool keep_all = capacity() < kWorthCleaning;
    for_each([&](DependEntry& entry) {
      if (!keep_all && discard(entry)) {
        entry.discarded = 1;
      } else {
        kept++;
      }
    });
    // Leaves at least as much room as there was before, so that this is rare.
    size_t capacity = keep_all ? kFirstCapacity : kWorthCleaning;
    while (capacity < 4 * kept || capacity < 2 * (kept + more)) capacity *= 2;
    // Not calloc(): pages that are read before they are written are mapped twice, and the second
    // mapping interrupts the other processors.
    auto* slots = static_cast<DependEntry*>(malloc(capacity * sizeof(DependEntry)));
    if (slots == nullptr) {
      // What was discarded is as good as new, and still found.
      for_each([](DependEntry& entry) { entry.discarded = 0; });
      return slots_ != nullptr && count_ + more < mask_ + 1;
    }
    __asm__("" : : "r"(slots) : "memory");  // otherwise GCC makes a calloc() of both
    memset(slots, 0, capacity * sizeof(DependEntry));
    DependEntry* old = slots_;
    size_t old_capacity = this->capacity();
    slots_ = slots;
    mask_ = capacity - 1;
    for (size_t i = 0; i < old_capacity; i++) {
      if (old[i].key != 0 && !old[i].discarded) slot_with_key(old[i].key) = old[i];
    }
    count_ = kept;
    free(old);
    return true;
  }

  DependEntry& slot_with_key(uintptr_t key) { return slot_for(key == ~uintptr_t{0} ? 0 : key); }

  DependEntry* slots_ = nullptr;
  size_t mask_ = 0;
  size_t count_ = 0;
};

}  // namespace bobbin
