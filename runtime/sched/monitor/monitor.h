// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"

// The monitor: fibers are cooperative, programs are not. When a worker has passed no scheduling
// point for a few milliseconds while something waits in its queues, it may be spinning until that
// has run, or sleeping in a system call. The monitor then starts a spare worker, which takes what
// waits. At worst there is a kernel thread for each OpenMP thread, as in other runtimes.
namespace bobbin {

// To be called whenever work may begin to wait: makes sure that the monitor looks. Usually costs
// one load.
void watch_for_stuck_workers();

// Makes the monitor look at once; only while a region is open. Async-signal-safe. False: there is
// no monitor.
bool wake_monitor();

// The last root has ended: the monitor ends, too, until the next root comes.
void end_monitor();

// The monitor is gone in the child of a fork.
void forget_monitor_after_fork();

}  // namespace bobbin
