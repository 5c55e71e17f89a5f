// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/task_policy.h"
#include "platform/memory.h"
#include "sched/bounded_queue.h"
#include "sched/deque.h"

namespace bobbin {

#if defined(BOBBIN_MODEL)
inline constexpr std::int64_t kBoundedCapacity = 2;
#else
inline constexpr std::int64_t kBoundedCapacity = 1024;
#endif

// The tasks of one owner: in a deque or, where a policy asks for it, in a bounded queue. The deque
// is there in any case. It is all that the fast paths look at, and takes what a bounded queue has
// no room for. Bounded queues are made when first asked for and stay, for thieves may look at any
// time.
template <class T>
class TaskQueue : private Deque<T> {
  using Base = Deque<T>;

 public:
  using Bounded = BoundedQueue<T, kBoundedCapacity>;

  // --- The owner's.

  // Which kind it is from now on; the queue is empty. Out of memory it remains a deque.
  void use(QueueKind kind) {
    if (kind == kind_) return;
    Bounded* bounded = kind != QueueKind::Deque ? bounded_of(kind) : nullptr;
    kind_ = bounded != nullptr ? kind : QueueKind::Deque;
    bounded_.store(bounded, release);
  }

  // False: no memory, and the item is not in the queue.
  [[nodiscard]] bool push(T* item) {
    if (Bounded* bounded = bounded_.load(relaxed)) [[unlikely]] {
      if (bounded->push(item)) return true;
    }
    return Base::push(item);
  }

  // For those who know that there is nothing else, or want nothing else.
  Base& deque() { return *this; }
  using Base::size_at_most;

  // The item nearest to that end for which fits(T*) holds, or null.
  template <class Fits>
  T* take(QueueEnd end, const Fits& fits) {
    if (Bounded* bounded = bounded_.load(relaxed)) {
      if (bounded->size() > 0) {
        if (T* item = bounded->take(end, Taker::Owner, node_, fits)) return item;
      }
    }
    if (end == QueueEnd::Oldest) {
      if (T* item = steal_from_deque(fits)) {
        taken_myself_++;
        return item;
      }
      // Below one that does not fit lies what the owner has put there since.
    }
    return Base::pop_if(fits);
  }

  // How many the others took.
  std::int64_t stolen() const {
    const Bounded* bounded = bounded_.load(relaxed);
    return bounded == nullptr ? Base::taken() - taken_myself_ : bounded->stolen();
  }

  // --- Anybody's.

  // Likewise; `mine` is the calling thread's own queue. Of a deque there is only the oldest.
  template <class Fits>
  T* steal(QueueEnd end, TaskQueue& mine, const Fits& fits) {
    Bounded* bounded = bounded_.load(acquire);
    if (bounded != nullptr && bounded->size() > 0 && mine.has_node()) {
      if (T* item = bounded->take(end, Taker::Thief, mine.node_, fits)) return item;
    }
    return Base::size() > 0 ? steal_from_deque(fits) : nullptr;
  }

  // How many items there were a moment ago.
  std::int64_t size() const {
    const Bounded* bounded = bounded_.load(acquire);
    std::int64_t spilled = Base::size();
    return bounded == nullptr ? spilled : spilled + bounded->size();
  }

 private:
  using Node = typename Bounded::Node;

  template <class Fits>
  T* steal_from_deque(const Fits& fits) {
    T* item = nullptr;
    while (Base::steal_if(item, fits) == Steal::Lost) {
    }
    return item;
  }

  bool has_node() {
    if (node_ == nullptr) node_ = make_lasting<Node>();
    return node_ != nullptr;
  }

  [[gnu::noinline]] Bounded* bounded_of(QueueKind kind) {
    Bounded*& made = kind == QueueKind::Combining ? combining_ : locked_;
    if (made != nullptr || !has_node()) return made;
    auto takers = kind == QueueKind::Combining ? Takers::Combining : Takers::Lock;
    Node* first = takers == Takers::Combining ? make_lasting<Node>() : nullptr;
    if (takers == Takers::Combining && first == nullptr) return nullptr;
    void* block = allocate_lasting(sizeof(Bounded));
    if (block != nullptr) made = new (block) Bounded(takers, first);
    return made;
  }

  // Written by the owner between regions, read by all.
  Atomic<Bounded*> bounded_{nullptr};
  // The owner's alone.
  std::int64_t taken_myself_ = 0;  // of the deque's oldest
  QueueKind kind_ = QueueKind::Deque;
  Node* node_ = nullptr;  // to take from others' bounded queues and from its own
  Bounded* combining_ = nullptr;
  Bounded* locked_ = nullptr;
};

}  // namespace bobbin
