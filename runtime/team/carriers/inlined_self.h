// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/tls/tls_block.h"
#include "team/model/thread.h"

// What code that is inlined into programs knows of the calling thread: bobbin_self_v1 of
// bobbin/inline/layout.h. Invariant: it is the calling thread, or null. It stays null if the
// program's calls go to another runtime, which may be in the process beside this one. Otherwise a
// task would begin in one runtime and end in the other. It also stays null if a race detector is to
// be told of what the runtime orders.
namespace bobbin {

// A program may define this variable, too. The loader then gives the runtime the program's.
[[gnu::tls_model("initial-exec"), gnu::visibility("default")]] extern constinit thread_local Thread*
    inlined_self asm("bobbin_self_v1");

// Do the calls of programs come here? Constant from init_inlined_self() on.
inline bool programs_call_here = false;

// Asks the loader.
void init_inlined_self();

inline void set_self(Thread* thread) {
  tls_thread = thread;
  if (programs_call_here) inlined_self = thread;
}

// The same for the thread that has this TLS block.
inline void set_self_in(ThreadPointer block, Thread* thread) {
  *in_tls_block(block, &tls_thread) = thread;
  if (programs_call_here) *in_tls_block(block, &inlined_self) = thread;
}

}  // namespace bobbin
