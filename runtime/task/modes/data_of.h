// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/depend_list.h"
#include "team/queues/data_queue.h"

namespace bobbin {

// The data by which a task with these dependences is queued. First the data that the task writes,
// because its successors will share these results. Then the data that it reads.
inline DataNames data_of(const DependList& depend) {
  DataNames names;
  for (size_t i = 0; i < depend.count && names.first == 0; i++) {
    if (depend.items[i].kind != DependKind::In) names.first = depend.items[i].address;
  }
  for (size_t i = 0; i < depend.count && names.second == 0; i++) {
    uintptr_t name = depend.items[i].address;
    if (name == names.first) continue;
    (names.first == 0 ? names.first : names.second) = name;
  }
  return names;
}

}  // namespace bobbin
