// SPDX-License-Identifier: Apache-2.0
// A work-stealing deque: its owner pushes and pops at the bottom, thieves take from the top.
//
// After Chase and Lev (SPAA 2005) with the memory orders of Le, Pop, Cohen and Zappa Nardelli
// (PPoPP 2013). Two indices name positions in an endless sequence:
//
//   top      the oldest item. Moved up, never down, by a compare-and-swap of the thread that takes
//            that item: a thief, or the owner when it takes the last one. So an index is never
//            reused, and a compare-and-swap that succeeds proves that no other thread took the item
//            meanwhile.
//   bottom   one past the youngest. Written by the owner alone.
//
// Invariant: an item i with top <= i < bottom is in slot i mod capacity of the newest array, and in
// every older array that had it. Outgrown arrays are not written again. They are kept until the
// deque ends, because a thief may still be reading in one.
//
// Pairs:
//   push         stores the slot, then bottom (release); steal loads bottom (acquire), so it sees
//                the slot, what the item points to, and the array.
//   pop          lowers bottom, fence(seq_cst), loads top. steal loads top, fence(seq_cst), loads
//                bottom. One of the two fences is first. Either the thief sees the lowered bottom,
//                or the owner sees that top has come so near that it must compete for the item by
//                compare-and-swap. The stores of pop are releases, too: since C++20 a relaxed store
//                would end the release sequence of the push, and a thief that reads bottom from it
//                would see neither the item nor even the array.
//   steal        its compare-and-swap of top (release) comes after its load of the slot; the owner
//                loads top (acquire) before it uses the slot for an item a whole lap later.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

#include "platform/atomic.h"
#include "platform/locks/handlers_wait.h"

namespace bobbin {

enum class Steal {
  Success,
  Empty,
  Lost,     // another thread was faster: worth another try
  Refused,  // the item at the top does not suit this thief
};

#if defined(BOBBIN_MODEL)
inline constexpr std::int64_t kDequeCapacity = 4;
#else
inline constexpr std::int64_t kDequeCapacity = 256;
#endif

struct DequeHeap {
  // No handler may run here: only the caller holds the item that is to be pushed.
  static void* allocate(std::size_t bytes) {
    const HandlersWait wait;
    return std::malloc(bytes);
  }
  static void release(void* block, std::size_t /*bytes*/) { std::free(block); }
};

// Holds pointers. steal_if() needs items in type-stable memory, and its predicate may look only at
// their Atomic members, because another thread may take and even reuse the item meanwhile.
template <class T, std::int64_t kFirstCapacity = kDequeCapacity, class Memory = DequeHeap>
class Deque {
  static_assert((kFirstCapacity & (kFirstCapacity - 1)) == 0);

 public:
  Deque() = default;
  Deque(const Deque&) = delete;
  Deque& operator=(const Deque&) = delete;

  ~Deque() {
    for (Array* array = array_.load(relaxed); array != nullptr;) {
      Array* older = array->older;
      Memory::release(array, Array::bytes(array->mask + 1));
      array = older;
    }
  }

  // --- For the owner.

  // False: no memory for a larger array, and the item is not in the deque.
  [[nodiscard]] bool push(T* item) {
    std::int64_t bottom = bottom_.load(relaxed);
    if (bottom - known_top_ > mask_) [[unlikely]] {
      if (!make_room(bottom)) return false;
    }
    array_.load(relaxed)->slot(bottom).store(item, relaxed);
    bottom_.store(bottom + 1, release);
    return true;
  }

  // The youngest item.
  T* pop() {
    std::int64_t bottom = bottom_.load(relaxed) - 1;
    if (bottom < known_top_) return nullptr;  // was empty when last looked at; top never goes down
    bottom_.store(bottom, release);
    fence(seq_cst);
    std::int64_t top = top_.load(acquire);
    known_top_ = top;
    if (top < bottom) [[likely]] {
      return array_.load(relaxed)->slot(bottom).load(relaxed);
    }
    T* item = nullptr;
    if (top == bottom) {
      item = array_.load(relaxed)->slot(bottom).load(relaxed);
      if (top_.compare_exchange_strong(top, top + 1, seq_cst, acquire)) {
        oldest_taken_++;
      } else {
        item = nullptr;
      }
      known_top_ = bottom + 1;
    }
    bottom_.store(bottom + 1, release);
    return item;
  }

  // The youngest item, if pred(T*) holds for it. The same rules for items hold as at steal_if().
  template <class Pred>
  T* pop_if(Pred&& pred) {
    std::int64_t bottom = bottom_.load(relaxed) - 1;
    if (bottom < known_top_) return nullptr;
    return pred(array_.load(relaxed)->slot(bottom).load(relaxed)) ? pop() : nullptr;
  }

  // The oldest item: first in, first out.
  T* take_oldest() {
    std::int64_t bottom = bottom_.load(relaxed);
    if (bottom <= known_top_) return nullptr;
    std::int64_t top = top_.load(acquire);
    while (top < bottom) {
      T* item = array_.load(relaxed)->slot(top).load(relaxed);
      if (top_.compare_exchange_strong(top, top + 1, seq_cst, acquire)) {
        oldest_taken_++;
        known_top_ = top + 1;
        return item;
      }
    }
    known_top_ = top;
    return nullptr;
  }

  // The same if pred(T*) holds for it.
  template <class Pred>
  T* take_oldest_if(Pred&& pred) {
    T* item = steal_one(pred);
    if (item != nullptr) oldest_taken_++;
    return item;
  }

  // How many items thieves have taken since it was made.
  std::int64_t stolen() const { return top_.load(relaxed) - oldest_taken_; }

  // The number of items that it holds, plus at most those that thieves are taking now.
  std::int64_t size_at_most() const { return bottom_.load(relaxed) - top_.load(relaxed); }

  // For code that decides by size_at_most() and is compiled into programs: the operands.
  const Atomic<std::int64_t>& bottom() const { return bottom_; }
  const Atomic<std::int64_t>& top() const { return top_; }

  // --- For any thread.

  Steal steal(T*& out) {
    return steal_if(out, [](T*) { return true; });
  }

  // Takes the oldest item if pred(T*) holds for it.
  template <class Pred>
  Steal steal_if(T*& out, Pred&& pred) {
    std::int64_t top = top_.load(acquire);
    fence(seq_cst);
    std::int64_t bottom = bottom_.load(acquire);
    if (top >= bottom) return Steal::Empty;
    T* item = array_.load(acquire)->slot(top).load(relaxed);
    if (item == nullptr) return Steal::Lost;  // taken before the array grew, so not in the new one
    if (!pred(item)) return Steal::Refused;
    if (!top_.compare_exchange_strong(top, top + 1, seq_cst, relaxed)) return Steal::Lost;
    out = item;
    return Steal::Success;
  }

  // The same, but tries again as long as another thread is faster. nullptr: the deque is empty, or
  // the oldest item was refused.
  template <class Pred>
  T* steal_one(Pred&& pred) {
    T* item = nullptr;
    while (steal_if(item, pred) == Steal::Lost) {
    }
    return item;
  }

  // Takes up to `count` of the oldest items, as long as pred(T*) holds for them. Returns how many
  // it took. The first steal has a fence. Each further one instead has the compare-and-swap of the
  // one before, and loads bottom (seq_cst); the value cannot be older than the one that a fence
  // would have shown.
  template <class Pred>
  unsigned steal_some(T** out, unsigned count, Pred&& pred) {
    unsigned taken = 0;
    std::int64_t top = top_.load(acquire);
    fence(seq_cst);
    while (taken < count && top < bottom_.load(seq_cst)) {
      T* item = array_.load(acquire)->slot(top).load(relaxed);
      if (item == nullptr || !pred(item)) break;
      if (top_.compare_exchange_strong(top, top + 1, seq_cst, seq_cst)) {
        out[taken++] = item;
        top++;
      } else if (taken != 0) {
        break;  // another thief is active
      }
    }
    return taken;
  }

  // Shows visit(T*) what may be the `count` oldest items, before they are claimed. These are hints:
  // null, or items long gone, if the deque holds fewer.
  template <class Visit>
  void glance(unsigned count, Visit&& visit) const {
    std::int64_t top = top_.load(relaxed);
    Array* array = array_.load(acquire);
    if (array == nullptr) return;
    for (unsigned i = 0; i < count; i++) visit(array->slot(top + i).load(relaxed));
  }

  // Was there an oldest item a moment ago that steal_if() would have taken?
  template <class Pred>
  bool offers(Pred&& pred) const {
    std::int64_t top = top_.load(acquire);
    if (top >= bottom_.load(acquire)) return false;
    T* item = array_.load(acquire)->slot(top).load(relaxed);
    return item != nullptr && pred(item);
  }

  // How many items there were a moment ago.
  std::int64_t size() const {
    std::int64_t top = top_.load(relaxed);
    std::int64_t bottom = bottom_.load(relaxed);
    return bottom > top ? bottom - top : 0;
  }

 private:
  friend struct DebuggerView;

  struct Array {
    Array* older;
    std::int64_t mask;

    Atomic<T*>& slot(std::int64_t index) {
      return reinterpret_cast<Atomic<T*>*>(this + 1)[index & mask];
    }
    static std::size_t bytes(std::int64_t capacity) {
      return sizeof(Array) + static_cast<std::size_t>(capacity) * sizeof(Atomic<T*>);
    }
  };

  [[gnu::noinline]] bool make_room(std::int64_t bottom) {
    std::int64_t top = known_top_ = top_.load(acquire);
    if (bottom - top <= mask_) return true;
    std::int64_t capacity = mask_ < 0 ? kFirstCapacity : 2 * (mask_ + 1);
    void* block = Memory::allocate(Array::bytes(capacity));
    if (block == nullptr) return false;
    Array* older = array_.load(relaxed);
    Array* array = new (block) Array{older, capacity - 1};
    for (std::int64_t i = 0; i < capacity; ++i) new (&array->slot(i)) Atomic<T*>(nullptr);
    for (std::int64_t i = top; i < bottom; ++i) {
      array->slot(i).store(older->slot(i).load(relaxed), relaxed);
    }
    array_.store(array, release);
    mask_ = capacity - 1;
    return true;
  }

  // Written by each thread that takes the oldest item, read by all. It lies apart from the fields
  // that the owner writes at every push. The owner's copy of it saves push() and an unsuccessful
  // pop() that cache miss.
  alignas(kCacheLine) Atomic<std::int64_t> top_{0};
  // Written by the owner, read by thieves.
  alignas(kCacheLine) Atomic<std::int64_t> bottom_{0};
  Atomic<Array*> array_{nullptr};
  // Used by the owner only. known_top_ <= top_; mask_ is the newest array's, -1 before there is
  // one.
  std::int64_t known_top_ = 0;
  std::int64_t mask_ = -1;
  std::int64_t oldest_taken_ = 0;  // by the owner
};

}  // namespace bobbin
