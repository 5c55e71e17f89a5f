// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/extras.h"
#include "task/model/tool_events.h"

namespace bobbin {

// A tool is told of the beginning and the end of a task that it knows.
class WatchedTask {
 public:
  [[gnu::always_inline]] WatchedTask(Thread& thread, Task& task) : thread_(thread), task_(task) {
    if (tool::watched) [[unlikely]]
      begin();
  }
  WatchedTask(const WatchedTask&) = delete;
  WatchedTask& operator=(const WatchedTask&) = delete;
  [[gnu::always_inline]] ~WatchedTask() {
    if (state_ != nullptr) [[unlikely]]
      end();
  }

 private:
  [[gnu::noinline]] void begin() {
    state_ = state_of(task_);
    if (state_ != nullptr) tell_task_switch(thread_, *state_, __builtin_frame_address(0));
  }
  [[gnu::noinline]] void end() {
    const bool detached = task_.extras->detached;
    const bool fulfilled = detached && task_.extras->event.mark.load(relaxed) != Event::Mark::None;
    const bool waits_for_event = detached && !fulfilled;
    tell_task_end(thread_, *state_,
                  waits_for_event ? ompt_task_detach : end_status(thread_, task_.group));
  }

  Thread& thread_;
  Task& task_;
  tool::TaskState* state_ = nullptr;
};

}  // namespace bobbin
