// SPDX-License-Identifier: Apache-2.0
// The instrument of `bobbin run --profile`.
#include "bobbin/tool.h"
#include "insight/profile/callbacks.h"
#include "insight/profile/thread_record.h"
#include "insight/record/instrument.h"
#include "insight/record/recording.h"

namespace bobbin::insight {
namespace {

bobbin_get_usage_t get_usage = nullptr;  // nullptr: the runtime has none

}  // namespace

bool begin_instrument(ompt_function_lookup_t lookup, const char* runtime) {
  get_usage = reinterpret_cast<bobbin_get_usage_t>(lookup("bobbin_get_usage"));
  constexpr Shape kShape = {Instrument::Profile, kRecordBytes, kMostThreads};
  return open_recording(kShape, runtime, lookup) && watch_for_profile(lookup);
}

void end_instrument() {
  if (get_usage != nullptr) {
    bobbin_usage_t used;
    get_usage(&used);
    recording().header.usage = {used.stacks, used.switches, used.helpers, used.spares,
                                used.descriptor_bytes};
  }
  close_recording();
}

}  // namespace bobbin::insight
