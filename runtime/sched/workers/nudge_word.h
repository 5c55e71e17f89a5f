// SPDX-License-Identifier: Apache-2.0
// Whether a nudge is on its way to the kernel thread that a worker's record belongs to.
//
// A sender reads which kernel thread the record belongs to, and nudges that one. Meanwhile the
// record may pass to another kernel thread. So the word names the one that is nudged.
//
// Invariant: if the word names the kernel thread that has the record, a nudge is on its way to that
// kernel thread. When it arrives, the kernel thread clears the word, and then looks for what
// senders have noted. Therefore no sender needs to nudge it again.
//
// A word that names an earlier kernel thread keeps nobody from nudging. `forget()` clears the word
// before each change of the kernel thread, so that it names no one who comes back later. A nudge
// too many does no harm.
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
