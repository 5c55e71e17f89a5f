// SPDX-License-Identifier: Apache-2.0
#pragma once

// setuid() and similar calls must change all kernel threads. So the C library sends each kernel
// thread a signal, and waits until the handler has marked that in the control block to which the
// thread pointer points. On a kernel thread that carries a fiber this is the fiber's block. The
// caller would wait for ever, even if it is that fiber itself.
namespace bobbin {

// Makes the handler find the kernel thread's own control block. To be called whenever the pool has
// started a kernel thread, because the C library installs its handler when it starts the first one.
void guard_credentials();

}  // namespace bobbin
