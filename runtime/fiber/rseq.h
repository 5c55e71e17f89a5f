// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/context.h"

// Restartable sequences (rseq(2)). The kernel writes to the one area that a kernel thread has
// registered, wherever its thread pointer points. The C library registers one in the control block,
// from 2.35 on and unless it is asked not to (GLIBC_TUNABLES=glibc.pthread.rseq=0).
namespace bobbin {

// Asks the loader.
void init_rseq();

// Says in the C library's area of the block that it is not registered.
void mark_rseq_unregistered(ThreadPointer block);

// Has the calling kernel thread one that is not the C library's? A program that registers areas
// itself, as TCMalloc and librseq do, has them in TLS variables: from a fiber it would see one that
// the kernel does not know.
bool has_rseq_of_others();

}  // namespace bobbin
