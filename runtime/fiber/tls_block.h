// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <cstddef>

#include "fiber/context.h"

// TLS blocks: what makes a fiber a whole thread. A block is a thread control block of the C library
// with the static TLS area beside it, as a new kernel thread would get, made by the loader's own
// function. threadprivate as compilers really emit it, errno, exception state and thread_local then
// belong to the fiber, and the address of a TLS variable stays valid on whatever worker it runs.
namespace bobbin {

// Looks for everything a block needs (glibc; on x86-64 FSGSBASE).
void init_tls_blocks();

// Is it there? If not, use kernel threads; `reason` tells why, for OMP_DISPLAY_ENV=verbose.
bool tls_blocks_supported(const char** reason);

// A block, from the pool or new; nullptr when out of memory. Its variables have their initial
// values, as in a thread just created; its thread id is unique and its own (see tls_block.cpp).
ThreadPointer take_tls_block();

// Runs the destructors of the block's thread_local objects and of its pthread_setspecific values,
// and gives it back. The calling thread's pointer is exchanged for the block's while they run.
void give_tls_block(ThreadPointer block);

// To be called once on a block, with the block current, before user code runs on it.
void start_tls_block();

// Must be called before fibers run code that may have been dlopened since the last call: what it
// needs of stacks, and of blocks that the loader does not know, it finds. Cheap when nothing was
// loaded.
void refresh_tls_blocks();

// Must be called after each dlclose.
void note_unloaded_libraries();

// The address, in `block`, of the TLS variable that is at `mine` for the calling thread. Only for
// variables in the static area (initial-exec).
template <class T>
T* in_tls_block(ThreadPointer block, T* mine) {
  auto offset = reinterpret_cast<char*>(mine) - static_cast<char*>(current_thread_pointer());
  return reinterpret_cast<T*>(static_cast<char*>(block) + offset);
}

// Is it the thread id in a block, and so no kernel thread's?
bool is_fiber_id(pid_t id);

// Is this thread, which must be there, one with a block?
bool names_fiber(pthread_t thread);

// That thread's block.
ThreadPointer block_of(pthread_t thread);

// In the child of a fork, if a fiber called it: the kernel thread that carries the fiber lives on.
// `carrier` is that thread's own block.
void keep_carrier_after_fork(ThreadPointer carrier);

}  // namespace bobbin
