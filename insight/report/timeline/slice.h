// SPDX-License-Identifier: Apache-2.0
// What a thread or a worker did for a while. The slices of one are nested.
#pragma once

#include <cstdint>

#include "insight/record/layout.h"

namespace bobbin::insight {

enum class SliceKind : uint8_t {
  Part,
  Work,
  Chunk,
  Task,
  Wait,
  // Of a worker. Inside of the first are the parts and tasks of the thread that it carries.
  Carry,
  CarriedPart,
  CarriedTask,
  Sleep,
};

struct Slice {
  SliceKind kind = SliceKind::Part;
  SiteNumber site = 0;
  bool cut = false;  // it began before what is known
  uint64_t begin = 0;
  uint64_t end = 0;
  // Of a task; of a part the number in the team; of a carry the slot of the thread; otherwise
  // iterations.
  uint64_t id = 0;
};

}  // namespace bobbin::insight
