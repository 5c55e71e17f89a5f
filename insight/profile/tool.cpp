// SPDX-License-Identifier: Apache-2.0
// The instrument of `bobbin run --profile`.
#include "insight/profile/callbacks.h"
#include "insight/profile/thread_record.h"
#include "insight/record/instrument.h"
#include "insight/record/recording.h"

namespace bobbin::insight {

bool begin_instrument(ompt_function_lookup_t lookup, const char* runtime) {
  constexpr Shape kShape = {Instrument::Profile, kRecordBytes, kMostThreads};
  return open_recording(kShape, runtime, lookup) && watch_for_profile(lookup);
}

void end_instrument() { close_recording(); }

}  // namespace bobbin::insight
