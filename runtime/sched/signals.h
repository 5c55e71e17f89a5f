// SPDX-License-Identifier: Apache-2.0
// Signals reach the thread that they were sent to, whatever its kernel thread does just then.
//
// A root has its kernel thread for life, and what is sent to that kernel thread is the root's. If
// another thread is carried there when a signal comes, the signal is noted with the root, the root
// is resumed, and what is carried gives way (sched/give_way.h): the root handles the signal as it
// comes back from its wait. All other threads are sent signals by pthread_kill() and its like
// alone; they are noted with the thread, which is resumed, or nudged where it runs.
//
// A thread handles what is noted with it, and it does not block, when it comes back from a wait,
// begins its part of a region, unblocks the signal, or is nudged.
#pragma once

#include "fiber/fiber.h"
#include "fiber/pending_signals.h"
#include "sched/worker.h"

namespace bobbin {

// With the first use of OpenMP, where threads are fibers.
void init_signals();

// Notes the signal with the fiber and sees to it that it is handled soon. Returns an error number,
// 0 for success; EAGAIN: one of this number is noted already, and has other data.
int send_signal(Fiber& fiber, const siginfo_t& info);

// Those that are noted, not blocked and among `wanted`. `context`: what a signal handler has
// interrupted, or nullptr.
void handle_noted_signals(Fiber& fiber, void* context);

// To be asked where a thread goes on.
inline void heed_signals(Fiber& fiber) {
  if (fiber.has_signals()) [[unlikely]]
    handle_noted_signals(fiber, nullptr);
}

// May the fiber, which runs, be in a handler of the program's? A handler may have come anywhere, in
// the middle of the runtime, too, and runs perhaps on an alternate stack, which is the kernel
// thread's: it must not leave its thread to another one. One system call.
//
// The signal of a handler is blocked where the thread does not block it. One that was installed
// with SA_NODEFER, and for a signal that is not routed (platform/signal_actions.h), is not
// recognised.
bool in_signal_handler(const Fiber& fiber);

// Takes one of those that are noted; for sigwait() and its like. False: there is none.
bool take_noted_signal(Fiber& fiber, SignalSet wanted, siginfo_t& info);

}  // namespace bobbin
