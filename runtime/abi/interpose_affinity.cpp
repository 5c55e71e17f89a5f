// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "abi/c_library.h"
#include "abi/export.h"
#include "platform/diagnostics.h"
#include "platform/processors/cpu_set.h"
#include "sched/workers/pool.h"
#include "team/model/team.h"

// Some programs do not know OMP_PROC_BIND, and their threads bind themselves: thread k of a region
// to processor k. Any kernel thread may carry any fiber: bound by one fiber after another, the
// kernel threads would end on the same few processors. So within a region of several threads none
// is bound. This is reported once, and a query returns the mask that the thread asked for.
// Elsewhere a root binds its own kernel thread, and with it the helpers made later, as without
// Bobbin.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

namespace {

OnceFlag said_not_bound;

// Is `thread` the calling thread, within a region of several threads? It may be a fiber.
bool is_member(pthread_t thread) {
  if (!provider.threads_move || tls_thread == nullptr || thread != pthread_self()) return false;
  return is_fiber(thread) || !tls_thread->member->team->serial();
}

// A thread that means itself may also pass the number of the kernel thread that carries it. The
// child of a vfork is another kernel thread, although it has the thread's memory; it is bound as it
// asks.
bool is_caller(pid_t thread) {
  if (!provider.threads_move || tls_thread == nullptr || tls_thread->worker == nullptr)
    return false;
  const auto kernel_thread = static_cast<pid_t>(syscall(SYS_gettid));
  if (tls_thread->worker->kernel_thread != kernel_thread) return false;
  return thread == 0 || thread == kernel_thread;
}

size_t at_most(size_t size) { return size < sizeof(CpuSet) ? size : sizeof(CpuSet); }

// Returns an error number, 0 for success. tell() does so, too.
int ask(Thread& thread, size_t size, const cpu_set_t* set) {
  CpuSet wanted;
  memcpy(wanted.data(), set, at_most(size));
  if (wanted.next(0) >= static_cast<unsigned>(sysconf(_SC_NPROCESSORS_CONF))) return EINVAL;
  if (thread.affinity == nullptr) thread.affinity = make<CpuSet>();
  if (thread.affinity == nullptr) return ENOMEM;
  *thread.affinity = wanted;
  warn_once(said_not_bound,
            "OpenMP threads that bind themselves to processors are not bound, because they are "
            "fibers; OMP_PROC_BIND binds them to places, and BOBBIN_PROVIDER=kernel lets them bind "
            "themselves");
  return 0;
}

int tell(const CpuSet& asked_for, size_t size, cpu_set_t* set) {
  if (asked_for.next(static_cast<unsigned>(8 * at_most(size))) != kMaxCpus) return EINVAL;
  memset(set, 0, size);
  memcpy(set, asked_for.data(), at_most(size));
  return 0;
}

int failed(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

BOBBIN_ENTRY int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) {
  if (is_member(thread)) return ask(*tls_thread, size, set);
  if (tls_thread != nullptr && thread == pthread_self()) forget_affinity(*tls_thread);
  return c_library().setaffinity(thread, size, set);
}

BOBBIN_ENTRY int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* set) {
  const Thread* self = tls_thread;
  if (self != nullptr && thread == pthread_self()) {
    if (self->affinity != nullptr) return tell(*self->affinity, size, set);
    if (is_fiber(thread)) return c_library().getaffinity_of(0, size, set) == 0 ? 0 : errno;
  }
  return c_library().getaffinity(thread, size, set);
}

BOBBIN_NATIVE_ENTRY int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t* set) {
  if (!is_caller(thread)) return c_library().setaffinity_of(thread, size, set);
  return failed(pthread_setaffinity_np(pthread_self(), size, set));
}

BOBBIN_NATIVE_ENTRY int sched_getaffinity(pid_t thread, size_t size, cpu_set_t* set) {
  if (!is_caller(thread)) return c_library().getaffinity_of(thread, size, set);
  return failed(pthread_getaffinity_np(pthread_self(), size, set));
}

#endif
