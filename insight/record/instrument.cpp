// SPDX-License-Identifier: Apache-2.0
#include "insight/record/instrument.h"

#include "insight/record/modules.h"
#include "insight/record/recording.h"

namespace bobbin::insight {

void set_callbacks(ompt_set_callback_t set, const WantedEvent* wanted, size_t count) {
  note_module(recording(), reinterpret_cast<uint64_t>(set));
  for (size_t i = 0; i < count; i++) set(wanted[i].event, wanted[i].callback);
}

namespace {

const char* runtime_name = "";

int initialize(ompt_function_lookup_t lookup, int /*device*/, ompt_data_t* /*data*/) {
  return begin_instrument(lookup, runtime_name) ? 1 : 0;
}

void finalize(ompt_data_t* /*data*/) { end_instrument(); }

ompt_start_tool_result_t result = {initialize, finalize, {0}};

}  // namespace
}  // namespace bobbin::insight

extern "C" [[gnu::visibility("default")]] ompt_start_tool_result_t* ompt_start_tool(
    unsigned int /*version*/, const char* runtime) {
  bobbin::insight::runtime_name = runtime;
  return &bobbin::insight::result;
}
