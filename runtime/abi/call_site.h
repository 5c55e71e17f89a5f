// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/thread.h"
#include "tool/events.h"

// Where the program calls from: tools are told the address to which the call returns, and the frame
// of the runtime that the encountering task has entered. Declared first in an entry point, so that
// both are the program's.
#define BOBBIN_CALL_SITE                                                   \
  [[maybe_unused]] bobbin::CallSite call_site(__builtin_return_address(0), \
                                              __builtin_frame_address(0))

// The same where the construct's code is a function. See place_of_call().
#define BOBBIN_CALL_SITE_OF(function)                                      \
  [[maybe_unused]] bobbin::CallSite call_site(__builtin_return_address(0), \
                                              __builtin_frame_address(0),  \
                                              reinterpret_cast<const void*>(function))

// For events that tell nothing of tasks.
#define BOBBIN_RETURN_ADDRESS __builtin_return_address(0)

namespace bobbin {

// What tools are told where a call returns to `code`. If it is the last one of its function, that
// is another place, perhaps in the runtime. Then it is the beginning of the construct's function,
// as if it returned there: compilers give it the line of the directive.
const void* place_of_call(const void* code, const void* function);

class CallSite {
 public:
  [[gnu::always_inline]] CallSite(const void* code, void* frame) {
    if (tool::watched) [[unlikely]]
      enter(code, frame);
  }
  [[gnu::always_inline]] CallSite(const void* code, void* frame, const void* function) {
    if (tool::watched) [[unlikely]]
      enter(code, frame, function);
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
  void enter(const void* code, void* frame, const void* function);
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
