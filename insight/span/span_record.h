// SPDX-License-Identifier: Apache-2.0
// What the tool has found out of the process so far. It lies in the recording's only slot. The span
// is that up to the end of the latest region that is in no other one.
#pragma once

#include <cstdint>

#include "insight/record/layout.h"

namespace bobbin::insight {

struct SiteSpan {
  uint64_t work = 0;     // ticks
  uint64_t on_path = 0;  // ticks of the critical path; written at the end of the process
  uint64_t count = 0;    // how often it was begun
  uint64_t longest =
      0;  // of loops and sections: what the longest part takes that one thread must do
  // Of regions: with everything inside of them.
  uint64_t whole_work = 0;
  uint64_t whole_span = 0;  // the sum of their spans
};

struct SpanRecord {
  SlotHeader header;
  uint64_t work = 0;  // ticks
  uint64_t span = 0;
  uint64_t hand_overs = 0;  // on the critical path
  uint64_t tasks = 0;
  uint64_t mutex_ticks = 0;  // work in the mutex in which there was most
  SiteNumber mutex_site = 0;
  SiteSpan sites[kSites];
};
inline constexpr uint32_t kSpanRecordBytes = to_pages(sizeof(SpanRecord));

}  // namespace bobbin::insight
