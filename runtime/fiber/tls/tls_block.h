// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <cstddef>

#include "fiber/context/context.h"

// TLS blocks, which make a fiber a complete thread. A block is a thread control block of the C
// library with the static TLS area beside it, as a new kernel thread would get it. The loader's own
// function makes it. So threadprivate as compilers really emit it, errno, exception state and
// thread_local belong to the fiber. The address of a TLS variable stays valid on every worker that
// the fiber runs on.
namespace bobbin {

// Looks for everything a block needs (glibc; on x86-64 FSGSBASE).
void init_tls_blocks();

// Are blocks supported? If not, use kernel threads; `reason` tells why, for
// OMP_DISPLAY_ENV=verbose.
bool tls_blocks_supported(const char** reason);

// A block, from the pool or new; nullptr when out of memory. Its variables have their initial
// values, as in a thread just created. Its thread id is unique (see tls_block.cpp).
ThreadPointer take_tls_block();

// Runs the destructors of the block's thread_local objects and of its pthread_setspecific values,
// and gives the block back. While they run, the calling thread's pointer points to the block.
void give_tls_block(ThreadPointer block);
// Runs them before that, with the block current.
void end_values_of_tls_block();

// Calls function(argument) with the block current.
void call_with_tls_block(ThreadPointer block, void (*function)(void*), void* argument);

// To be called once on a block, with the block current, before user code runs on it.
void start_tls_block();

// Must be called before fibers run code that may have been dlopened since the last call. It updates
// the stacks, and the blocks if the loader does not know them. Cheap when nothing was loaded.
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

// Is this the thread id of a block, which no kernel thread can have?
bool is_fiber_id(pid_t id);

// Does this thread, which must exist, have a block?
bool names_fiber(pthread_t thread);

// Tells the kernel that the calling kernel thread, until it ends, holds the robust mutexes of the
// thread with this block. The caller has its own thread pointer.
void own_robust_list(ThreadPointer block);

// The thread with this block, which has not begun, gets the id of the calling kernel thread, which
// will carry it. The kernel tells by that id who owns a robust mutex.
void take_id_of_caller(ThreadPointer block);

// That thread's block.
ThreadPointer block_of(pthread_t thread);

// Call this in the child of a fork that a fiber called. The kernel thread that carries the fiber
// stays alive. `carrier` is that thread's own block.
void keep_carrier_after_fork(ThreadPointer carrier);

}  // namespace bobbin
