// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/memory.h"

namespace bobbin {

// An object that is filled on first use and constant afterwards. Threads that come at the same time
// fill one object each, and the first to finish wins. With pthread_once they would wait for the
// thread that fills it. That thread may wait for the loader's lock, and one of the waiting threads
// may hold this lock (a region in a library's constructor).
template <class T>
class FirstUse {
 public:
  // fill(T&) runs without a lock that other threads need. Returns an empty object when there is no
  // memory.
  template <class Fill>
  const T& get(Fill fill) {
    const T* known = filled_.load(acquire);
    if (known != nullptr) return *known;
    T* mine = make<T>();
    if (mine == nullptr) return empty_;
    fill(*mine);
    if (filled_.compare_exchange_strong(known, mine, acq_rel, acquire)) return *mine;
    mine->clear();
    destroy(mine);
    return *known;
  }

 private:
  Atomic<const T*> filled_{nullptr};
  T empty_;
};

}  // namespace bobbin
