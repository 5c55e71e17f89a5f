// SPDX-License-Identifier: Apache-2.0
// Whether a nudge is on its way to the kernel thread that a worker's record belongs to.
//
// A record may pass from one kernel thread to another between a sender's look at it and the nudge.
// So the word names the kernel thread. A nudge on its way to an earlier one says nothing: that one
// clears the word of the record that it has when the nudge arrives.
//
// Invariant: if the word names the kernel thread that the record belongs to, that kernel thread
// clears it after what was noted before `announce()`, because
//  - the word was announced for this kernel thread, whose nudge is on its way; or
//  - `forget()`, which comes before each change of the kernel thread, has not run yet.
// A nudge too many does no harm.
#pragma once

#include <sys/types.h>

#include "platform/atomic.h"

namespace bobbin {

class NudgeWord {
 public:
  bool is_for(pid_t kernel_thread) const { return kernel_thread_.load(relaxed) == kernel_thread; }

  // By a sender, which has noted the reason before. True: it is to send the nudge.
  bool announce(pid_t kernel_thread) {
    return kernel_thread_.exchange(kernel_thread, seq_cst) != kernel_thread;
  }
  void failed() { kernel_thread_.store(0, relaxed); }

  // By the kernel thread that a nudge has reached, before it looks for the reason.
  void arrived() { kernel_thread_.exchange(0, seq_cst); }

  // The record is about to belong to another kernel thread.
  void forget() { kernel_thread_.store(0, relaxed); }

 private:
  Atomic<pid_t> kernel_thread_{0};  // 0: none
};

}  // namespace bobbin
