// SPDX-License-Identifier: Apache-2.0
// Signals reach the thread that they were sent to, whatever its kernel thread does at that moment.
//
// A root has its kernel thread for life, and signals that are sent to that kernel thread are the
// root's. If the kernel thread carries another thread when a signal comes, the signal is noted with
// the root, the root is resumed, and the carried thread gives way (sched/give_way.h). The root
// handles the signal as it comes back from its wait. All other threads get signals only from
// pthread_kill() and similar calls. Such a signal is noted with the thread; the thread is resumed,
// or nudged where it runs.
//
// A thread handles the signals that are noted with it, and that it does not block, when it comes
// back from a wait, begins its part of a region, unblocks the signal, or is nudged.
#pragma once

#include "fiber/fiber.h"
#include "fiber/pending_signals.h"
#include "sched/worker.h"

namespace bobbin {

// Called at the first use of OpenMP if threads are fibers.
void init_signals();

// Notes the signal with the fiber and makes sure that it is handled soon. Returns 0 or an error
// number. EAGAIN: a signal of this number is noted already, and has other data.
int send_signal(Fiber& fiber, const siginfo_t& info);

// Handles the signals that are noted and not blocked. `context`: what a signal handler has
// interrupted, or nullptr.
void handle_noted_signals(Fiber& fiber, void* context);

// To be called where a thread continues.
inline void heed_signals(Fiber& fiber) {
  if (fiber.has_signals()) [[unlikely]]
    handle_noted_signals(fiber, nullptr);
}

// Is the fiber, which runs, in a handler of the program for a routed signal
// (platform/signal_actions.h)?
bool in_routed_handler(const Fiber& fiber);

// May it be in any handler of the program? A handler may run at any place, also in the middle of
// the runtime, and perhaps on an alternate stack, which belongs to the kernel thread. So it must
// not leave its thread to another kernel thread. Costs one system call.
//
// A handler for an unrouted signal is recognised because its signal is blocked although the thread
// does not block it. It is not recognised if it was installed with SA_NODEFER.
bool in_signal_handler(const Fiber& fiber);

// The fiber, which runs, is about to jump to where the stack pointer is `sp` (nullptr: unknown),
// and to take over the mask `saved` (nullptr: none).
void follow_jump(Fiber& fiber, const char* sp, const SignalSet* saved);

// Takes one of the noted signals, for sigwait() and similar calls. False: there is none.
bool take_noted_signal(Fiber& fiber, SignalSet wanted, siginfo_t& info);

}  // namespace bobbin
