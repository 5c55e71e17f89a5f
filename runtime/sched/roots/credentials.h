// SPDX-License-Identifier: Apache-2.0
#pragma once

// setuid() and similar calls must change all kernel threads. So the C library sends each of them a
// signal, whose handler sets a mark in the control block to which the thread pointer points. The
// caller waits for a mark in the control block of each kernel thread. A kernel thread that carries
// a fiber would set it in the fiber's block instead, and the caller would wait for ever.
namespace bobbin {

// Makes the handler find the kernel thread's own control block. To be called whenever the pool has
// started a kernel thread, because the C library installs its handler when it starts the first one.
void guard_credentials();

}  // namespace bobbin
