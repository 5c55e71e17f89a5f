// SPDX-License-Identifier: Apache-2.0
// What makes a library an instrument: a tool after the interface of OpenMP 5.2 (chapter 19). So it
// works under every runtime that has this interface.
#pragma once

#include <cstddef>

#include "omp-tools.h"

namespace bobbin::insight {

// Each instrument defines these two. False: it does not want to watch.
bool begin_instrument(ompt_function_lookup_t lookup, const char* runtime);
void end_instrument();

struct WantedEvent {
  ompt_callbacks_t event;
  ompt_callback_t callback;
};
// The callback has the name of its event.
#define BOBBIN_WANTED(name) {ompt_callback_##name, reinterpret_cast<ompt_callback_t>(name)}

// Sets the callbacks, and notes the runtime's file as the first one.
void set_callbacks(ompt_set_callback_t set, const WantedEvent* wanted, size_t count);
template <size_t kCount>
void set_callbacks(ompt_set_callback_t set, const WantedEvent (&wanted)[kCount]) {
  set_callbacks(set, wanted, kCount);
}

}  // namespace bobbin::insight
