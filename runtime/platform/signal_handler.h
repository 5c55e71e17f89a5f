// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// May the caller be a signal handler? A handler may have come anywhere, in the middle of the
// runtime, too, and runs perhaps on an alternate stack, which is the kernel thread's: it must not
// leave its thread to another one. One system call, as a rule.
//
// In a handler its signal is blocked. So is it in a thread that has blocked a signal for which the
// program has a handler; that one is taken for a handler as well. A handler that was installed with
// SA_NODEFER is not recognised.
bool may_be_signal_handler();

}  // namespace bobbin
