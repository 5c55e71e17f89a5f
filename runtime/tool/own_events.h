// SPDX-License-Identifier: Apache-2.0
// Events that only Bobbin has (include/bobbin/tool.h).
#pragma once

#include "bobbin/tool.h"
#include "tool/events.h"

namespace bobbin::tool {

struct OwnCallbacks {
  Relaxed<bobbin_callback_phase_t> phase{nullptr};
  Relaxed<bobbin_callback_steal_t> steal{nullptr};
  Relaxed<bobbin_callback_brief_t> brief{nullptr};
  Relaxed<bobbin_callback_worker_t> worker{nullptr};
  Relaxed<bobbin_callback_wake_t> wake{nullptr};
};
inline constinit OwnCallbacks own_callbacks;

// Is the tool content with this?
inline bool told_briefly(bobbin_brief_t construct, ompt_data_t& thread, const void* code) {
  const bobbin_callback_brief_t callback = own_callbacks.brief;
  return callback != nullptr && callback(construct, &thread, code) != 0;
}

// Does it want to be told of waits for other threads, tasks included?
inline bool wants_waits() {
  return callbacks.sync_region != nullptr || callbacks.sync_region_wait != nullptr;
}

// bobbin_set_callback.
ompt_set_result_t set_own_callback(bobbin_callbacks_t event, ompt_callback_t callback);
void forget_own_callbacks();

// The calling thread is in the phase as long as this lives. Used with or without a tool.
class WatchedPhase {
 public:
  [[gnu::always_inline]] WatchedPhase(bobbin_phase_t phase, const void* const& code)
      : phase_(phase) {
    if (watched) [[unlikely]]
      begin(code);
  }
  [[gnu::always_inline]] ~WatchedPhase() {
    if (told_ != nullptr) [[unlikely]]
      told_(phase_, ompt_scope_end, code_);
  }
  WatchedPhase(const WatchedPhase&) = delete;
  WatchedPhase& operator=(const WatchedPhase&) = delete;

 private:
  void begin(const void* code);

  const bobbin_phase_t phase_;
  bobbin_callback_phase_t told_ = nullptr;
  const void* code_ = nullptr;
};

}  // namespace bobbin::tool
