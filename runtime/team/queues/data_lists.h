// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/queues/data_queue.h"

namespace bobbin {

// The queues by data of one team (team/queues/data_queue.h): threads below one last-level cache
// share one, because what one of them has loaded into the cache serves all. They are made when they
// are first asked for and stay, because thieves may look at any time.
template <class T>
class DataLists {
 public:
  // Caches with larger numbers share the queues of others.
  static constexpr unsigned kMost = 64;

  // The queue of the cache with this number; nullptr: no memory.
  DataQueue<T>* of(unsigned cache) {
    Atomic<DataQueue<T>*>& place = lists_[cache % kMost];
    if (DataQueue<T>* list = place.load(acquire)) return list;
    const SpinGuard guard(making_);
    DataQueue<T>* list = place.load(relaxed);
    if (list == nullptr) place.store(list = make_lasting<DataQueue<T>>(), release);
    return list;
  }

  // In the child of a fork. Gives up those that another thread was changing: abandon(DataQueue&)
  // takes them away from the members.
  template <class Abandon>
  void go_on_alone(Abandon&& abandon) {
    making_.free_in_child();
    for (Atomic<DataQueue<T>*>& place : lists_) {
      DataQueue<T>* list = place.load(relaxed);
      if (list == nullptr || list->go_on_alone()) continue;
      place.store(nullptr, relaxed);
      abandon(*list);
    }
  }

 private:
  Atomic<DataQueue<T>*> lists_[kMost] = {};  // written under the lock, read by all
  SpinLock making_;
};

}  // namespace bobbin
