// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"

#include "platform/loader/own_calls.h"

namespace bobbin {

const void* place_of_call(const void* code, const void* function) {
  return calls_own_code(code) ? code : static_cast<const char*>(function) + 1;
}

// The first call finds out whether there is a tool.
void CallSite::enter(const void* code, void* frame) {
  Thread& thread = self();
  if (tool::watched) enter(thread, code, frame);
}

void CallSite::enter(const void* code, void* frame, const void* function) {
  Thread& thread = self();
  if (tool::watched) enter(thread, place_of_call(code, function), frame);
}

void CallSite::leave() const {
  self().tool.code = nullptr;
  task_->frame.enter_frame = {};
  task_->frame.enter_frame_flags = 0;
}

}  // namespace bobbin
