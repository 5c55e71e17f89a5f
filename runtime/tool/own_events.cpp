// SPDX-License-Identifier: Apache-2.0
#include "tool/own_events.h"

namespace bobbin::tool {

ompt_set_result_t set_own_callback(bobbin_callbacks_t event, ompt_callback_t callback) {
  switch (event) {
    case bobbin_callback_phase:
      own_callbacks.phase = reinterpret_cast<bobbin_callback_phase_t>(callback);
      return ompt_set_always;
    case bobbin_callback_steal:
      own_callbacks.steal = reinterpret_cast<bobbin_callback_steal_t>(callback);
      return ompt_set_always;
    case bobbin_callback_brief:
      own_callbacks.brief = reinterpret_cast<bobbin_callback_brief_t>(callback);
      return ompt_set_always;
    case bobbin_callback_worker:
      own_callbacks.worker = reinterpret_cast<bobbin_callback_worker_t>(callback);
      return ompt_set_always;
    case bobbin_callback_wake:
      own_callbacks.wake = reinterpret_cast<bobbin_callback_wake_t>(callback);
      return ompt_set_always;
  }
  return ompt_set_error;
}

void forget_own_callbacks() {
  own_callbacks.phase = nullptr;
  own_callbacks.steal = nullptr;
  own_callbacks.brief = nullptr;
  own_callbacks.worker = nullptr;
  own_callbacks.wake = nullptr;
}

void WatchedPhase::begin(const void* code) {
  told_ = own_callbacks.phase;
  code_ = code;
  if (told_ != nullptr) told_(phase_, ompt_scope_begin, code);
}

}  // namespace bobbin::tool
