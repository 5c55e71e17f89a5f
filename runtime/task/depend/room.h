// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#include "task/model/depend_list.h"

namespace bobbin {

// Room for the dependences of one construct, on the stack if they are few.
class DependRoom {
 public:
  explicit DependRoom(size_t count) {
    if (count > kFew) items_ = static_cast<Dependence*>(malloc(count * sizeof(Dependence)));
  }
  DependRoom(const DependRoom&) = delete;
  DependRoom& operator=(const DependRoom&) = delete;
  ~DependRoom() {
    if (items_ != few_) free(items_);
  }

  Dependence* items() { return items_; }  // null: out of memory

 private:
  static constexpr size_t kFew = 16;

  Dependence few_[kFew];
  Dependence* items_ = few_;
};

// Used when out of memory: to depend on everything, omp_all_memory, comes closest.
inline constexpr Dependence kOnEverything = {0, DependKind::Out};

}  // namespace bobbin
