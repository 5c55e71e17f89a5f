// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/thread.h"
#include "tool/events.h"

// Where the program calls from: tools are told the address to which the call returns, and the frame
// of the runtime that the encountering task has entered. Declared first in an entry point, so that
// both are the program's.
#define BOBBIN_CALL_SITE                                                   \
  [[maybe_unused]] bobbin::CallSite call_site(__builtin_return_address(0), \
                                              __builtin_frame_address(0))

// For events that tell nothing of tasks.
#define BOBBIN_RETURN_ADDRESS __builtin_return_address(0)

namespace bobbin {

class CallSite {
 public:
  [[gnu::always_inline]] CallSite(const void* code, void* frame) {
    if (tool::watched) [[unlikely]]
      enter(code, frame);
  }
  [[gnu::always_inline]] ~CallSite() {
    if (task_ != nullptr) [[unlikely]]
      leave();
  }
  // For a known thread, where a tool watches.
  CallSite(Thread& thread, const void* code, void* frame) { enter(thread, code, frame); }
  CallSite(const CallSite&) = delete;
  CallSite& operator=(const CallSite&) = delete;

  // The current task stays in the runtime, because the program executes another one until a later
  // call. resume() is that call.
  void keep() { task_ = nullptr; }
  static void resume(Thread& thread) { thread.tool.task->frame.enter_frame = {}; }

 private:
  void enter(const void* code, void* frame);
  [[gnu::always_inline]] void enter(Thread& thread, const void* code, void* frame) {
    task_ = thread.tool.task;
    if (task_ == nullptr) return;
    thread.tool.code = code;
    task_->frame.enter_frame.ptr = frame;
    task_->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
  }
  void leave() const;

  tool::TaskState* task_ = nullptr;
};

}  // namespace bobbin
