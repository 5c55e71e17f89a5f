// SPDX-License-Identifier: Apache-2.0
// The kernel restarts some system calls after a handler with SA_RESTART. It never restarts others:
// poll, nanosleep, semtimedop, recv from a socket with a time limit, and many more (signal(7)). If
// only a nudge has interrupted such a call, its handler makes the call start again, because the
// program may have no signals and need not expect EINTR.
//
// The number of the call is known from the sender (platform/signals/nudge_data.h). If it has seen
// no call, or another one, the thread may have noted it (platform/signals/passed_call.h), or on
// x86-64 the instruction before the call tells the number. In the other cases the program sees
// EINTR.
#pragma once

#include <signal.h>

#include "platform/signals/blocked_call.h"
#include "platform/signals/interrupted.h"

namespace bobbin {

// Finds the call that has just failed with EINTR at this place, interrupted by the signal `info`.
// False: there is none, or it is not known which it is, or it may not start again.
bool find_failed_call(const Interrupted& at, const siginfo_t& info, BlockedCall& call);

// The call starts again when the handler returns. A sleep lasts for the rest of its time if the
// caller wanted to know the rest. So do select and ppoll, because the kernel has updated their time
// limits. Another relative time limit begins anew.
void start_again(const BlockedCall& call, Interrupted& at);

}  // namespace bobbin
