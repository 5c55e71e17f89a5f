// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "abi/export.h"
#include "sched/pool.h"
#include "team/thread.h"

// Functions of the C library that mean the calling kernel thread, where an OpenMP thread would mean
// itself. They are in effect where Bobbin comes before the C library in the search order: preloaded,
// or linked by the program itself.

// Programs that wait for another thread of their team yield in a loop; OpenBLAS does. The other one
// may be a fiber of the same worker, or not have begun.
BOBBIN_ENTRY int sched_yield() {
  bobbin::Thread* thread = bobbin::tls_thread;
  if (thread == nullptr || !bobbin::yield(*thread)) syscall(SYS_sched_yield);
  return 0;
}

// The thread id in a fiber's control block names no kernel thread (fiber/tls_block.cpp); zero names
// the calling one.
BOBBIN_ENTRY int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) {
  static auto real = reinterpret_cast<decltype(&pthread_setaffinity_np)>(
      dlsym(RTLD_NEXT, "pthread_setaffinity_np"));
  if (thread != pthread_self()) return real(thread, size, set);
  return syscall(SYS_sched_setaffinity, 0, size, set) < 0 ? errno : 0;
}

BOBBIN_ENTRY int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* set) {
  static auto real = reinterpret_cast<decltype(&pthread_getaffinity_np)>(
      dlsym(RTLD_NEXT, "pthread_getaffinity_np"));
  if (thread != pthread_self()) return real(thread, size, set);
  long copied = syscall(SYS_sched_getaffinity, 0, size, set);
  if (copied < 0) return errno;
  memset(reinterpret_cast<char*>(set) + copied, 0, size - static_cast<size_t>(copied));
  return 0;
}
