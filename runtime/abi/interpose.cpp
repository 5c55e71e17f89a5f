// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "abi/c_library.h"
#include "abi/export.h"
#include "fiber/context/stack.h"
#include "fiber/tls/specific.h"
#include "fiber/tls/tls_block.h"
#include "platform/diagnostics.h"
#include "sched/workers/pool.h"
#include "team/carriers/kept_threads.h"
#include "team/model/thread.h"

// Functions of the C library that affect the calling kernel thread, where an OpenMP thread means
// itself (others: interpose_*.cpp). They are in effect where Bobbin comes before the C library in
// the search order: preloaded, or linked by the program itself.
//
// The thread id in a fiber's control block names no kernel thread (fiber/tls/tls_block.cpp). For
// the kernel, zero names the calling thread.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

// Garbage collectors and language runtimes ask where a thread's stack is, and remember it. From
// then on the thread stays on that stack, however deep it recurses.
BOBBIN_ENTRY int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
  const Stack* stack = nullptr;
  if (thread == pthread_self()) {
    note_own_stack_is_known();
    stack = stack_with(__builtin_frame_address(0));  // another one already, in deep recursion
  } else if (names_fiber(thread) && thread_of(thread) != nullptr) {
    stack = thread_of(thread)->stack;
  }
  if (stack == nullptr) return c_library().getattr(thread, attributes);
  pthread_attr_init(attributes);
  pthread_attr_setguardsize(attributes, static_cast<size_t>(stack->limit() - stack->mapping));
  const auto size = static_cast<size_t>(stack->mapping + stack->size - stack->limit());
  return pthread_attr_setstack(attributes, stack->limit(), size);
}

// OpenMP threads end with their root, without a kernel thread ending.
BOBBIN_ENTRY int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  int result = c_library().key_create(key, destructor);
  if (result == 0) note_key(*key, destructor);
  return result;
}

BOBBIN_ENTRY int pthread_key_delete(pthread_key_t key) {
  note_key(key, nullptr);
  return c_library().key_delete(key);
}

// C11's names for the same functions.
BOBBIN_NATIVE_ENTRY int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

BOBBIN_NATIVE_ENTRY void tss_delete(tss_t key) { pthread_key_delete(key); }

// A library that is loaded later may get the address range and the TLS module of one that is gone.
BOBBIN_ENTRY int dlclose(void* handle) {
  int result = c_library().close(handle);
  if (provider.threads_move) note_unloaded_libraries();
  return result;
}

// The kernel looks up the owner of a priority-inheriting mutex by its id. For a mutex with a
// ceiling the C library passes the id to the kernel to raise the owner's priority. So a fiber can
// own neither kind. Fibers have no priorities: among them these are ordinary mutexes.
BOBBIN_ENTRY int pthread_mutexattr_setprotocol(pthread_mutexattr_t* attributes, int protocol) {
  const bool known = protocol == PTHREAD_PRIO_INHERIT || protocol == PTHREAD_PRIO_PROTECT;
  if (known && provider.threads_move) protocol = PTHREAD_PRIO_NONE;
  return c_library().setprotocol(attributes, protocol);
}

// When a kernel thread ends, the kernel marks the robust mutexes in its list that have its id, and
// their next owners are told. So a thread that may own one needs a kernel thread of its own.
BOBBIN_ENTRY int pthread_mutexattr_setrobust(pthread_mutexattr_t* attributes, int robustness) {
  if (robustness == PTHREAD_MUTEX_ROBUST && provider.threads_move) keep_all_new_threads();
  return c_library().setrobust(attributes, robustness);
}

#endif
