// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/context/context.h"

// Restartable sequences (rseq(2)). A kernel thread registers one area, and the kernel writes to
// that area, wherever the thread pointer points. The C library registers one in the control block
// from 2.35 on, unless it is told not to (GLIBC_TUNABLES=glibc.pthread.rseq=0).
namespace bobbin {

// Asks the loader.
void init_rseq();

// Marks the C library's area in the block as not registered.
void mark_rseq_unregistered(ThreadPointer block);

// Has the calling kernel thread registered an area that is not the C library's? A program that
// registers areas itself, as TCMalloc and librseq do, has them in TLS variables. From a fiber it
// would see an area that the kernel does not know.
bool has_rseq_of_others();

}  // namespace bobbin
