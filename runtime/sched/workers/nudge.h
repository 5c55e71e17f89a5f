// SPDX-License-Identifier: Apache-2.0
// A nudge is a signal to a kernel thread: it makes the kernel thread look for what its fiber, or
// the root that is at home there, has to do. Async-signal-safe.
//
// A nudge interrupts the system call that the kernel thread is in. Unless a handler of the program
// runs then, the call goes on or starts again, and its time limit may begin anew
// (platform/signals/failed_call.h). So a kernel thread that is blocked in a call where a nudge has
// no effect gets none. Otherwise one nudge after the other could make the call last for ever.
#pragma once

namespace bobbin {

struct Fiber;
struct Worker;

// What the worker carries is to give way to a root that is ready, or to take its mask anew.
void nudge_carried(Worker& worker);

// The fiber has signals to handle.
void nudge_for_signals(Fiber& fiber);

}  // namespace bobbin
