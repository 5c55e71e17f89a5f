// SPDX-License-Identifier: Apache-2.0
// Where the queued tasks of one owner lie: a deque, and the queues that a policy puts beside it.
#pragma once

#include "env/syntax/task_policy.h"
#include "platform/memory.h"
#include "sched/queues/deque.h"
#include "team/queues/bounded_queue.h"
#include "team/queues/data_queue.h"

namespace bobbin {

#if defined(BOBBIN_MODEL)
inline constexpr std::int64_t kBoundedCapacity = 2;
#else
inline constexpr std::int64_t kBoundedCapacity = kMostPlaces;
#endif

// The tasks of one owner: in a deque or, if a policy asks for it, in a bounded queue or one by
// data. The deque always exists. The fast paths look only at the deque. It also takes the tasks for
// which a bounded queue has no room, and those that name no data. Bounded queues are made when
// first asked for and stay, because thieves may look at any time. A queue by data is shared by the
// owners below one cache (team/queues/data_lists.h): each of them takes from it as an owner.
template <class T>
class TaskQueue : private Deque<T> {
  using Base = Deque<T>;

 public:
  using Bounded = BoundedQueue<T, kBoundedCapacity>;
  using ByData = DataQueue<T>;

  // --- For the owner.

  // Sets which kind it is from now on; the owner's queue is empty. `by_data`: the one that it
  // shares, if the kind is Data. `places`: of a bounded one. If memory runs out it remains a deque.
  void use(QueueKind kind, ByData* by_data = nullptr, std::int64_t places = kBoundedCapacity) {
    Bounded* bounded = is_bounded(kind) ? bounded_of(kind) : nullptr;
    if (bounded != nullptr) bounded->limit(places);
    if (kind == kind_ && by_data == by_data_.load(relaxed)) return;
    kind_ = bounded != nullptr || by_data != nullptr ? kind : QueueKind::Deque;
    bounded_.store(bounded, release);
    by_data_.store(by_data, release);
  }

  // False: no memory, and the item is not in the queue.
  [[nodiscard]] bool push(T* item) {
    if (Bounded* bounded = bounded_.load(relaxed)) [[unlikely]] {
      if (bounded->push(item)) return true;
    }
    return Base::push(item);
  }

  // The same for an item that works on these data.
  [[nodiscard]] bool push(T* item, const DataNames& names) {
    if (ByData* by_data = by_data_.load(relaxed); by_data != nullptr && names.first != 0) {
      if (by_data->push(item, names)) return true;
    }
    return push(item);
  }

  // The owner continues with an item of these data that it has not taken from here.
  void follow(const DataNames& names) { trail_.names = names; }

  // For callers that know that there is nothing else, or want nothing else.
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
    if (ByData* by_data = by_data_.load(relaxed); by_data != nullptr && by_data->size() > 0) {
      if (T* item = by_data->take(end, Taker::Owner, trail_, fits)) return item;
    }
    if (end == QueueEnd::Oldest) {
      if (T* item = Base::take_oldest_if(fits)) return item;
      // If the oldest item does not fit, the owner's youngest one may.
    }
    return Base::pop_if(fits);
  }

  // How many items other threads took.
  std::int64_t stolen() const {
    if (const Bounded* bounded = bounded_.load(relaxed)) return bounded->stolen();
    const ByData* by_data = by_data_.load(relaxed);
    return Base::stolen() + (by_data == nullptr ? 0 : by_data->stolen());
  }

  // --- In the child of a fork, of any thread's queue.

  // A bounded queue is kept only if no other thread was using it.
  void go_on_alone() {
    keep_if_whole(locked_);
    keep_if_whole(combining_);
  }
  // The same for a queue by data, of which that is known.
  void abandon(const ByData& by_data) {
    if (by_data_.load(relaxed) != &by_data) return;
    by_data_.store(nullptr, relaxed);
    kind_ = QueueKind::Deque;
  }

  // --- For any thread.

  // Like take(); `mine` is the calling thread's own queue. In a deque only the oldest item can be
  // taken. What both share is not asked.
  template <class Fits>
  T* steal(QueueEnd end, TaskQueue& mine, const Fits& fits) {
    Bounded* bounded = bounded_.load(acquire);
    if (bounded != nullptr && bounded->size() > 0 && mine.has_node()) {
      if (T* item = bounded->take(end, Taker::Thief, mine.node_, fits)) return item;
    }
    ByData* by_data = by_data_.load(acquire);
    if (by_data != nullptr && by_data != mine.by_data_.load(relaxed) && by_data->size() > 0) {
      if (T* item = by_data->take(end, Taker::Thief, mine.trail_, fits)) return item;
    }
    return Base::size() > 0 ? Base::steal_one(fits) : nullptr;
  }

  // How many items there were a moment ago.
  std::int64_t size() const {
    const Bounded* bounded = bounded_.load(acquire);
    const ByData* by_data = by_data_.load(acquire);
    std::int64_t items = Base::size();
    if (bounded != nullptr) items += bounded->size();
    if (by_data != nullptr) items += by_data->size();
    return items;
  }

 private:
  friend struct DebuggerView;

  using Node = typename Bounded::Node;

  bool has_node() {
    if (node_ == nullptr) node_ = make_lasting<Node>();
    return node_ != nullptr;
  }

  void keep_if_whole(Bounded*& made) {
    if (made == nullptr || made->go_on_alone()) return;
    if (bounded_.load(relaxed) == made) {
      bounded_.store(nullptr, relaxed);
      kind_ = QueueKind::Deque;
    }
    made = nullptr;
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
  Atomic<ByData*> by_data_{nullptr};
  // Used by the owner only.
  QueueKind kind_ = QueueKind::Deque;
  Node* node_ = nullptr;  // for taking from bounded queues, its own and others'
  Bounded* combining_ = nullptr;
  Bounded* locked_ = nullptr;
  DataTrail trail_;  // of what it took, from its own queue and from others'
};

}  // namespace bobbin
