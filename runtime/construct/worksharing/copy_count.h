// SPDX-License-Identifier: Apache-2.0
// How many threads copy from the data of a single construct with copyprivate.
//
// In a cancelled region no barrier keeps the executing thread, and with it its data, until the
// others have copied. So each of the others counts itself in before it copies, and out when it has.
// The executing thread closes the count while it is zero. A thread that comes later finds the count
// closed and keeps its own values, because its region has been cancelled meanwhile.
//
// Invariant: the data stay while the count is not closed, and it is closed only while it is zero.
// So they stay for each thread that has counted itself in before. The word is zero when the
// region's record is set up; once closed, it stays so, whatever is added.
//
// The pair of release and acquire: each thread counts itself out with release, and the count is
// closed with acquire, so what follows in the executing thread does not overtake the copies.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

class CopyCount {
 public:
  explicit CopyCount(Atomic<uint64_t>& word) : word_(word) {}

  void open() { word_.store(0, relaxed); }

  // False: the data may be gone. Otherwise leave() must follow.
  bool enter() { return (word_.fetch_add(1, acquire) & kClosed) == 0; }
  void leave() { word_.fetch_sub(1, release); }

  // False: threads copy.
  bool close() {
    uint64_t none = 0;
    return word_.compare_exchange_strong(none, kClosed, acquire, relaxed);
  }

 private:
  static constexpr uint64_t kClosed = uint64_t{1} << 63;

  Atomic<uint64_t>& word_;
};

}  // namespace bobbin
