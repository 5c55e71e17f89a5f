// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"

namespace bobbin {

// The first call finds out whether there is a tool.
void CallSite::enter(const void* code, void* frame) {
  Thread& thread = self();
  if (tool::watched) enter(thread, code, frame);
}

void CallSite::leave() const {
  self().tool.code = nullptr;
  task_->frame.enter_frame = {};
  task_->frame.enter_frame_flags = 0;
}

}  // namespace bobbin
