// SPDX-License-Identifier: Apache-2.0
#pragma once

// setuid() and its like are to change all kernel threads, so the C library sends each a signal and
// waits until the handler has ticked it off in its control block: the one that the thread pointer
// names. On a kernel thread that carries a fiber that is the fiber's, and the caller would wait for
// ever, be it that fiber itself.
namespace bobbin {

// Has the handler find the kernel thread's own control block. Whenever the pool has started a
// kernel thread, for the C library sets its handler when it starts the first one.
void guard_credentials();

}  // namespace bobbin
