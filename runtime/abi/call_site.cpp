// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"

namespace bobbin {

// The first call finds out whether there is a tool.
void CallSite::enter(const void* code, void* frame) {
  Thread& thread = self();
  if (!tool::watched) return;
  task_ = thread.tool.task;
  if (task_ == nullptr) return;
  thread.tool.code = code;
  task_->frame.enter_frame.ptr = frame;
  task_->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
}

void CallSite::leave() const {
  self().tool.code = nullptr;
  task_->frame.enter_frame = {};
  task_->frame.enter_frame_flags = 0;
}

}  // namespace bobbin
