// SPDX-License-Identifier: Apache-2.0
// The instrument of `bobbin run --trace`: a tool after the interface of OpenMP 5.2 (chapter 19).
// So it works under every runtime that has this interface.
#include <bit>
#include <cstdlib>

#include "insight/record/recording.h"
#include "insight/trace/callbacks.h"
#include "insight/trace/events.h"
#include "omp-tools.h"

namespace bobbin::insight {
namespace {

const char* runtime_name = "";

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

int initialize(ompt_function_lookup_t lookup, int /*device*/, ompt_data_t* /*data*/) {
  const Shape shape = {Instrument::Trace, static_cast<uint32_t>(kRingAt) + ring_bytes(),
                       kMostTracedThreads};
  return open_recording(shape, runtime_name) && set_trace_callbacks(lookup) ? 1 : 0;
}

void finalize(ompt_data_t* /*data*/) { close_recording(); }

ompt_start_tool_result_t result = {initialize, finalize, {0}};

}  // namespace
}  // namespace bobbin::insight

extern "C" [[gnu::visibility("default")]] ompt_start_tool_result_t* ompt_start_tool(
    unsigned int /*version*/, const char* runtime) {
  bobbin::insight::runtime_name = runtime;
  return &bobbin::insight::result;
}
