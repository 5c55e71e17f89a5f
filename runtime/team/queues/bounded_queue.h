// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/locks/spinlock.h"
#include "team/queues/bounded_ring.h"
#include "team/queues/combining.h"

namespace bobbin {

// How the threads that take from a bounded queue exclude each other.
enum class Takers : std::uint8_t {
  // One after the other, in the order in which they ask. The first one also serves the requests
  // behind its own. The owner adds without asking. After the task queues of OMPi (Agathos,
  // Kallimanis and Dimakopoulos, Euro-Par 2012).
  Combining,
  // One lock for all, the owner included: the baseline for measurements of the other.
  Lock,
};

// A bounded queue of one owner, from which all threads may take at both ends. Invariant: the thread
// that holds the lock, or serves in `takers_`, is the ring's only consumer. What one consumer did
// there happens before what the next one does.
template <class T, std::int64_t kCapacity>
class BoundedQueue {
 public:
  using Node = Combining::Node;

  // `first` is for Combining; see there.
  BoundedQueue(Takers takers, Node* first) : kind_(takers) {
    if (takers == Takers::Combining) takers_.start(*first);
  }

  // For the owner: so many places are used from now on, at most all.
  void limit(std::int64_t places) { ring_.limit(places); }

  // For the owner. False: full.
  [[nodiscard]] bool push(T* item) {
    if (kind_ == Takers::Combining) return ring_.push(item);
    SpinGuard guard(lock_);
    return ring_.push(item);
  }

  // The item nearest to that end for which fits(T*) holds, or null. Another thread may call `fits`
  // while this one waits. `node` belongs to the caller; it may be another node afterwards.
  template <class Fits>
  T* take(QueueEnd end, Taker taker, Node*& node, const Fits& fits) {
    if (kind_ == Takers::Lock) {
      SpinGuard guard(lock_);
      return ring_.take(end, taker, fits);
    }
    auto call = [](const void* f, T* item) -> bool { return (*static_cast<const Fits*>(f))(item); };
    Request request{end, taker, call, &fits, nullptr};
    takers_.apply(node, request, [this](Request& one) {
      one.item = ring_.take(one.end, one.taker, [&](T* item) { return one.call(one.fits, item); });
    });
    return request.item;
  }

  // In the child of a fork. False: other threads were taking from the queue, or about to take, and
  // do not exist in the child.
  bool go_on_alone() { return kind_ == Takers::Lock ? !lock_.free_in_child() : takers_.idle(); }

  std::int64_t size() const { return ring_.size(); }
  std::int64_t stolen() const { return ring_.stolen(); }

 private:
  struct Request {
    QueueEnd end;
    Taker taker;
    bool (*call)(const void* fits, T* item);
    const void* fits;
    T* item;
  };

  const Takers kind_;
  SpinLock lock_;
  Combining takers_;
  BoundedRing<T, kCapacity> ring_;
};

}  // namespace bobbin
