// SPDX-License-Identifier: Apache-2.0
// An intrusive stack. Any thread may push to it, and any thread may empty it, but only as a whole.
//
// Treiber's stack (IBM RJ 5118, 1986) without a pop. No operation follows a link of an item that
// others may take, so the ABA problem does not arise and items may be reused at once.
//
// States of the head: null (empty), an item (the last one pushed, linked to those before it), and
// the closed mark. The operations that move it:
//   null, item -> item   push, by compare-and-swap. Release: the item and its links, written
//                        before, belong to the taker after. Later pushes are read-modify-writes of
//                        the head and so continue the release sequence: one acquire covers the
//                        whole chain.
//   item -> null         take_all, by compare-and-swap (acquire): a closed head stays closed.
//   any -> closed        close, by exchange (acquire for the items, release for those refused).
//   closed               push is refused, and has acquired what came before close().
// Exactly one of the pushes between two take_alls finds null. It is told so, and may have to wake
// the taker.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

enum class Pushed {
  First,  // the inbox was empty
  More,
  Closed,  // not pushed
};

template <class T, auto Link = &T::next>
class Inbox {
 public:
  Inbox() = default;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  Pushed push(T* item) { return push_chain(item, item); }

  // Items that are linked, the newest first.
  Pushed push_chain(T* newest, T* oldest) {
    T* head = head_.load(relaxed);
    do {
      if (head == closed_mark()) [[unlikely]] {
        head_.load(acquire);
        return Pushed::Closed;
      }
      oldest->*Link = head;
    } while (!head_.compare_exchange_weak(head, newest, release, relaxed));
    return head == nullptr ? Pushed::First : Pushed::More;
  }

  // All items, linked, the newest first.
  T* take_all() {
    T* head = head_.load(relaxed);
    while (head != nullptr && head != closed_mark()) {
      if (head_.compare_exchange_weak(head, nullptr, acquire, relaxed)) return head;
    }
    return nullptr;
  }

  // All items, linked, the oldest first.
  T* take_all_fifo() { return reverse(take_all()); }

  // Takes all items, as take_all() does, and closes the inbox: no later push succeeds.
  T* close() {
    T* head = head_.exchange(closed_mark(), acq_rel);
    return head != closed_mark() ? head : nullptr;
  }

  // Opens a closed inbox again, when its object is recycled. No other thread may be able to reach
  // the object meanwhile.
  void reopen() { head_.store(nullptr, relaxed); }

  bool empty() const {
    T* head = head_.load(relaxed);
    return head == nullptr || head == closed_mark();
  }

  // Does pred(const T*) hold for the last item pushed? Items must be in type-stable memory, and
  // pred may look only at their Atomic members, because the item may be taken and even reused
  // meanwhile.
  template <class Pred>
  bool offers(Pred&& pred) const {
    T* head = head_.load(acquire);
    return head != nullptr && head != closed_mark() && pred(head);
  }

  // Acquires what came before close().
  bool closed() const { return head_.load(acquire) == closed_mark(); }

  static T* reverse(T* chain) {
    T* reversed = nullptr;
    while (chain != nullptr) {
      T* next = chain->*Link;
      chain->*Link = reversed;
      reversed = chain;
      chain = next;
    }
    return reversed;
  }

 private:
  friend struct DebuggerView;

  static T* closed_mark() { return reinterpret_cast<T*>(std::uintptr_t{1}); }

  Atomic<T*> head_{nullptr};
};

}  // namespace bobbin
