// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/thread.h"

// The kernel provider: a kernel thread for each OpenMP thread that is not a root. It waits for
// launches between regions; suspending it is parking it.
namespace bobbin {

// Thread::launch counts the regions to run. Two numbers mean something else.
inline constexpr uint32_t kEndThread = ~0u;
inline constexpr uint32_t kThreadGone = ~0u - 1;
constexpr uint32_t next_launch(uint32_t last) { return last + 1 == kThreadGone ? 0 : last + 1; }
static_assert(next_launch(0) == 1 && next_launch(kThreadGone - 1) == 0);

// For the meaning of each see sched/workers/provider.h.
// False: no kernel thread can be created (the reason has been reported once).
bool start_kernel_thread(Thread& thread, Thread& forking);
// Asks the kernel thread to end and waits until it no longer uses `thread`.
void end_kernel_thread(Thread& thread);
void call_as_kernel_thread(Thread& thread, void (*function)(Thread&));
void launch_kernel_threads(Team& team, Worker& worker);
void call_resting_kernel_thread(Team& team, const Thread& caller);

}  // namespace bobbin
