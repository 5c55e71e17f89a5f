// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/thread.h"

// The kernel provider: a kernel thread for each OpenMP thread that is not a root. It waits for
// launches between regions; suspending it is parking it.
namespace bobbin {

// False: no kernel thread to be had (the reason has been said once).
bool start_kernel_thread(Thread& thread);

// Asks the kernel thread to end and waits until it no longer uses `thread`.
void end_kernel_thread(Thread& thread);

}  // namespace bobbin
