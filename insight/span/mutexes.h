// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "insight/record/layout.h"
#include "omp-tools.h"

namespace bobbin::insight {

// How much work is done while a mutex is held. That work is serial, whichever threads do it.
class Mutexes {
 public:
  // `worked`: the ticks that the thread has worked so far.
  void acquired(ompt_wait_id_t id, SiteNumber site, uint64_t worked);
  void released(ompt_wait_id_t id, uint64_t worked);

  uint64_t most() const { return most_; }
  SiteNumber site_of_most() const { return site_of_most_; }

 private:
  struct Entry {
    ompt_wait_id_t id = 0;  // 0: free
    uint64_t work = 0;
    uint64_t began_at = 0;
    SiteNumber site = 0;
  };
  Entry* find(ompt_wait_id_t id);
  bool grow();

  Entry* entries_ = nullptr;
  uint32_t size_ = 0;  // a power of two
  uint32_t used_ = 0;
  uint64_t most_ = 0;
  SiteNumber site_of_most_ = 0;
};

}  // namespace bobbin::insight
