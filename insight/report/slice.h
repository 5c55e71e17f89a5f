// SPDX-License-Identifier: Apache-2.0
// What a thread did for a while. The slices of a thread are nested.
#pragma once

#include <cstdint>

#include "insight/record/layout.h"

namespace bobbin::insight {

enum class SliceKind : uint8_t { Part, Work, Chunk, Task, Wait };

struct Slice {
  SliceKind kind = SliceKind::Part;
  SiteNumber site = 0;
  bool cut = false;  // it began before what is known
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t id = 0;  // of a task; of a part the number in the team; otherwise iterations
};

}  // namespace bobbin::insight
