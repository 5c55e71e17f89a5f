// SPDX-License-Identifier: Apache-2.0
// What the program wants done at a signal, and a handler of the runtime's in front of it: a signal
// may reach a kernel thread while that carries another OpenMP thread than the one it was sent to,
// and goes on to that one (sched/signals.h).
//
// Not in front of what tells of the code that runs just then, whoever that is: faults, SIGABRT, and
// the timers of profilers.
#pragma once

#include <signal.h>

namespace bobbin {

// Once, at start-up.
void init_signal_actions();

using SignalRouter = void (*)(int signal, siginfo_t* info, void* context);

// As sigaction(). In effect for the process, from the first call on.
int set_signal_action(int signal, const struct sigaction* wanted, struct sigaction* before);

// The program's handler for the signal; false: it has none that is known here, and the kernel's
// default, or a handler that was installed past this, is in effect. Async-signal-safe.
bool program_action(int signal, struct sigaction& action);

// Calls the program's handler where it stands. Async-signal-safe.
void call_program_handler(const struct sigaction& action, int signal, siginfo_t* info,
                          void* context);

// From now on the runtime's handler asks `router` what to do. Handlers that were installed past
// set_signal_action() are taken over. Once.
void route_signals(SignalRouter router);

// A signal between kernel threads of the runtime: the highest real-time one without a handler when
// this is first called. `on_nudge` runs for it, with SA_RESTART. 0: there is none.
int reserve_nudge(SignalRouter on_nudge);
int nudge_signal();

// Sends it. Async-signal-safe.
void nudge(pid_t kernel_thread);
// Is this one sent by nudge()? Else it is the program's, which uses the same number.
bool is_nudge(const siginfo_t& info);

}  // namespace bobbin
