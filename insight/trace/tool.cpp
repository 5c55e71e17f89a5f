// SPDX-License-Identifier: Apache-2.0
// The instrument of `bobbin run --trace`.
#include <bit>
#include <cstdlib>

#include "insight/record/instrument.h"
#include "insight/record/recording.h"
#include "insight/trace/callbacks.h"
#include "insight/trace/events.h"

namespace bobbin::insight {
namespace {

// What is out of range becomes the nearest size that is not: `bobbin run` checks what users write.
uint32_t ring_bytes() {
  const char* text = getenv(kBufferVariable);
  if (text == nullptr || *text == '\0') return kUsualRing;
  constexpr uint64_t kKibi = 1024;
  const uint64_t wanted = strtoull(text, nullptr, 10);
  if (wanted >= kMostRing / kKibi) return kMostRing;
  const uint64_t bytes = std::bit_ceil(wanted * kKibi);
  return bytes < kLeastRing ? kLeastRing : static_cast<uint32_t>(bytes);
}

}  // namespace

bool begin_instrument(ompt_function_lookup_t lookup, const char* runtime) {
  const Shape shape = {Instrument::Trace, static_cast<uint32_t>(kRingAt) + ring_bytes(),
                       kMostTracedThreads};
  return open_recording(shape, runtime, lookup) && watch_for_trace(lookup);
}

void end_instrument() { close_recording(); }

}  // namespace bobbin::insight
