// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "insight/record/layout.h"
#include "omp-tools.h"

namespace bobbin::insight {

// How much work is done while a mutex is held. That work is serial, whichever threads do it.
class Mutexes {
 public:
  void add(ompt_wait_id_t id, SiteNumber site, uint64_t ticks);

  uint64_t most() const { return most_; }
  SiteNumber site_of_most() const { return site_of_most_; }

 private:
  struct Entry {
    ompt_wait_id_t id = 0;  // 0: free
    uint64_t work = 0;
  };
  Entry* find(ompt_wait_id_t id);
  bool grow();

  Entry* entries_ = nullptr;
  uint32_t size_ = 0;  // a power of two
  uint32_t used_ = 0;
  uint64_t most_ = 0;
  SiteNumber site_of_most_ = 0;
};

// The mutexes that one thread holds. A thread may be told that it has released one after another
// thread was told that it has acquired it.
class HeldMutexes {
 public:
  // `worked`: the ticks that the thread has worked so far.
  void acquired(ompt_wait_id_t id, SiteNumber site, uint64_t worked) {
    if (count_ < kMost) held_[count_] = {id, worked, site};
    count_++;
  }
  void released(ompt_wait_id_t id, uint64_t worked, Mutexes& mutexes) {
    for (unsigned i = count_ < kMost ? count_ : kMost; i-- > 0;) {
      if (held_[i].id != id) continue;
      mutexes.add(id, held_[i].site, worked - held_[i].since);
      held_[i] = held_[(count_ < kMost ? count_ : kMost) - 1];
      break;
    }
    if (count_ != 0) count_--;
  }

 private:
  static constexpr unsigned kMost = 8;  // further ones are not followed
  struct Held {
    ompt_wait_id_t id = 0;
    uint64_t since = 0;
    SiteNumber site = 0;
  };
  Held held_[kMost];
  unsigned count_ = 0;
};

}  // namespace bobbin::insight
