// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"

// The monitor: fibers are cooperative, programs are not. When a worker has passed no scheduling
// point for a few milliseconds while something waits in its queues, it may be spinning on what
// waits, or sleeping in a system call; the monitor then starts a spare worker, which takes what
// waits. At worst there is a kernel thread for each OpenMP thread, as in other runtimes.
namespace bobbin {

// To be called whenever something may begin to wait: makes sure that the monitor looks. A load.
void watch_for_stuck_workers();

// It is to look at once; only while a region is open. Async-signal-safe. False: there is none.
bool wake_monitor();

// The last root has ended: so does the monitor, until the next one comes.
void end_monitor();

// The monitor is gone in the child of a fork.
void forget_monitor_after_fork();

}  // namespace bobbin
