// SPDX-License-Identifier: Apache-2.0
// The program's signal actions, with a handler of the runtime installed in front of them. A signal
// may reach a kernel thread while it carries another OpenMP thread than the one that the signal was
// sent to. The runtime's handler passes the signal on to the right one (sched/signals/signals.h).
//
// No handler is installed in front of signals that concern the code that runs at that moment,
// whatever thread it belongs to: faults, SIGABRT, and the timers of profilers.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "platform/signals/signal_set.h"

namespace bobbin {

struct BlockedCall;

// Called once, at start-up.
void init_signal_actions();

using SignalRouter = void (*)(int signal, siginfo_t* info, void* context);

// As sigaction(). Takes effect for the process, from the first call on.
int set_signal_action(int signal, const struct sigaction* wanted, struct sigaction* before);

// The program's handler for the signal. False: no handler is known here; the kernel's default is in
// effect, or a handler that was installed without set_signal_action(). Async-signal-safe.
bool program_action(int signal, struct sigaction& action);

// Has the program a handler for the signal now? It had one when program_action() knows one.
// Async-signal-safe.
bool has_handler(int signal);

// As the kernel does when it calls such a handler: from then on the default is in effect.
void reset_if_wanted(const struct sigaction& action, int signal);

// Calls the program's handler directly. Async-signal-safe.
void call_program_handler(const struct sigaction& action, int signal, siginfo_t* info,
                          void* context);

// From now on the runtime's handler calls `router`. Also takes over handlers that were installed
// without set_signal_action(). Called once.
void route_signals(SignalRouter router);

// Reserves a signal for use between kernel threads of the runtime: the highest real-time one
// without a handler at the first call. `on_nudge` runs for it, with SA_RESTART. 0: there is none.
int reserve_nudge(SignalRouter on_nudge);
int nudge_signal();

// Without the signals that programs cannot block: the C library's own (nptl/internaltypes: 32 and
// 33), SIGKILL, SIGSTOP and the nudge.
SignalSet blockable(SignalSet set);

// Has the program ever had a handler for a signal that is not routed?
bool had_unrouted_handler();

// Sends it; `call`: what the kernel thread is blocked in, nullptr: nothing, or unknown. If no more
// signals can be queued (RLIMIT_SIGPENDING), SIGURG is sent, because signals below SIGRTMIN need no
// place in a queue, but the kernel may lose the data that goes along. False: neither could be sent.
// Async-signal-safe.
bool nudge(pid_t kernel_thread, const BlockedCall* call);
// Was this signal sent by nudge()? If not, it is the program's, which uses the same number.
bool is_nudge(const siginfo_t& info);
// Was it sent by nudge() as SIGURG? If it has lost its data, it may also be one that the program
// sent. Then only the receiver knows whether a nudge is on its way.
bool may_be_bare_nudge(const siginfo_t& info);

}  // namespace bobbin
