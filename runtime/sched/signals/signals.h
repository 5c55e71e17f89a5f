// SPDX-License-Identifier: Apache-2.0
// Signals reach the thread that they were sent to, whatever its kernel thread does at that moment.
//
// A root has its kernel thread for life, and signals that are sent to that kernel thread are the
// root's. If the kernel thread carries another thread when a signal comes, the signal is noted with
// the root, the root is resumed, and the carried thread gives way (sched/roots/give_way.h). The
// root handles the signal as it comes back from its wait. All other threads get signals from
// pthread_kill() and similar calls. Such a signal is noted with the thread; the thread is resumed,
// or nudged where it runs.
//
// A signal for the process may reach any kernel thread that does not block it. One of the runtime's
// own blocks signals while it carries no thread, and otherwise has the mask of the thread that it
// carries, because what that thread starts inherits the mask. If such a signal reaches it, the
// signal is noted with a root that does not block it. Only if all roots block it
// the carried thread handles it.
//
// A thread handles the signals that are noted with it, and that it does not block, when it comes
// back from a wait, begins its part of a region, unblocks the signal, or is nudged.
#pragma once

#include "fiber/fiber.h"
#include "fiber/pending_signals.h"
#include "sched/workers/worker.h"

namespace bobbin {

// Called at the first use of OpenMP if threads are fibers.
void init_signals();

// Notes the signal with the fiber and makes sure that it is handled soon. Returns 0 or an error
// number. EAGAIN: there is no room for another real-time signal.
int send_signal(Fiber& fiber, const siginfo_t& info);

// The same by the fiber itself: a signal that it does not block has been handled on return.
int send_to_itself(Fiber& fiber, const siginfo_t& info);

// Handles the signals that are noted and not blocked. `context`: what a signal handler has
// interrupted, or nullptr.
void handle_noted_signals(Fiber& fiber, void* context);

// To be called where a thread continues.
inline void deliver_pending_signals(Fiber& fiber) {
  if (fiber.has_signals()) [[unlikely]]
    handle_noted_signals(fiber, nullptr);
}

// The fiber, which runs, is about to jump to where the stack pointer is `sp` (nullptr: unknown),
// and to take over the mask `saved` (nullptr: none).
void follow_jump(Fiber& fiber, const char* sp, const SignalSet* saved);

// Makes room to note a signal that the kernel delivers where it cannot be handled at once. Called
// by a thread that lets through signals that its root blocks.
void make_room_for_signals(Fiber& fiber);

// Takes one of the noted signals, for sigwait() and similar calls. False: there is none.
bool take_noted_signal(Fiber& fiber, SignalSet wanted, siginfo_t& info);
void drop_noted_signals(Fiber& fiber);

}  // namespace bobbin
