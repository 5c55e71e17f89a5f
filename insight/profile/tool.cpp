// SPDX-License-Identifier: Apache-2.0
// The instrument of `bobbin run --profile`: a tool after the interface of OpenMP 5.2 (chapter 19).
// So it works under every runtime that has this interface.
#include "insight/profile/callbacks.h"
#include "insight/profile/thread_record.h"
#include "insight/record/recording.h"
#include "omp-tools.h"

namespace bobbin::insight {
namespace {

constexpr Shape kShape = {Instrument::Profile, kRecordBytes, kMostThreads};

const char* runtime_name = "";

int initialize(ompt_function_lookup_t lookup, int /*device*/, ompt_data_t* /*data*/) {
  return open_recording(kShape, runtime_name) && set_callbacks(lookup) ? 1 : 0;
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
