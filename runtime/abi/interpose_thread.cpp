// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "abi/c_library.h"
#include "abi/export.h"
#include "fiber/tls/tls_block.h"
#include "platform/atomic.h"
#include "sched/workers/worker.h"
#include "team/carriers/kept_threads.h"
#include "team/model/thread.h"

// What programs ask and set for a thread by its pthread_t. A fiber's questions about itself are
// answered for the kernel thread that carries it. Another fiber has no kernel thread to ask, or not
// for long. The name, which the fiber keeps itself, is available to all. For the rest the answer is
// the error that POSIX defines, where the C library would pass to the kernel an id that names no
// thread, or a clock that does not run.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

namespace {

bool is_another_fiber(pthread_t thread) { return thread != pthread_self() && names_fiber(thread); }

// The result of these functions: the error number, 0 for success.
int error_of(long result) { return result < 0 ? errno : 0; }

constexpr size_t kNameSize = 16;  // with the terminator, as in the kernel

// Lies in the fiber's block, where other threads reach it. Empty: the thread has no name of its
// own. It is two words, because others may read while one writes; they may then read parts of two
// names.
struct ThreadName {
  Atomic<uint64_t> words[kNameSize / sizeof(uint64_t)];

  void write(const char* name) {
    uint64_t copy[2] = {};
    memcpy(copy, name, strlen(name));
    for (int i = 0; i < 2; i++) words[i].store(copy[i], relaxed);
  }
  void read(char* name) const {
    uint64_t copy[2];
    for (int i = 0; i < 2; i++) copy[i] = words[i].load(relaxed);
    memcpy(name, copy, kNameSize);
    name[kNameSize - 1] = '\0';
  }
};

[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadName own_name{};

// The kernel's number for the processor time of a kernel thread (clock_getcpuclockid(3) for one).
clockid_t clock_of(pid_t kernel_thread) { return static_cast<clockid_t>(~kernel_thread << 3) | 6; }

ThreadName& name_of(pthread_t fiber) { return *in_tls_block(block_of(fiber), &own_name); }

}  // namespace

// The kernel's name of the thread that carries the fiber stays unchanged.
BOBBIN_ENTRY int pthread_setname_np(pthread_t thread, const char* name) {
  if (!names_fiber(thread)) return c_library().setname(thread, name);
  if (std::memchr(name, 0, kNameSize) == nullptr) return ERANGE;
  name_of(thread).write(name);
  return 0;
}

// A thread without a name of its own has the name of the thread that made it, like a kernel thread.
BOBBIN_ENTRY int pthread_getname_np(pthread_t thread, char* name, size_t size) {
  if (!names_fiber(thread)) return c_library().getname(thread, name, size);
  if (size < kNameSize) return ERANGE;
  name_of(thread).read(name);
  return name[0] != '\0' ? 0 : error_of(prctl(PR_GET_NAME, name));
}

BOBBIN_ENTRY int pthread_getschedparam(pthread_t thread, int* policy, sched_param* param) {
  if (is_another_fiber(thread)) return ESRCH;
  if (!is_fiber(thread)) return c_library().getschedparam(thread, policy, param);
  long now = syscall(SYS_sched_getscheduler, 0);
  if (now < 0) return errno;
  *policy = static_cast<int>(now);
  return error_of(syscall(SYS_sched_getparam, 0, param));
}

BOBBIN_ENTRY int pthread_setschedparam(pthread_t thread, int policy, const sched_param* param) {
  if (is_another_fiber(thread)) return ESRCH;
  if (thread == pthread_self() && !keep_kernel_thread(Hold::HandDown)) return EAGAIN;
  if (is_fiber(thread)) return error_of(syscall(SYS_sched_setscheduler, 0, policy, param));
  return c_library().setschedparam(thread, policy, param);
}

BOBBIN_ENTRY int pthread_setschedprio(pthread_t thread, int priority) {
  if (is_another_fiber(thread)) return ESRCH;
  if (thread == pthread_self() && !keep_kernel_thread(Hold::HandDown)) return EAGAIN;
  if (!is_fiber(thread)) return c_library().setschedprio(thread, priority);
  sched_param param{};
  param.sched_priority = priority;
  return error_of(syscall(SYS_sched_setparam, 0, &param));
}

// Another fiber that keeps no kernel thread has no clock.
BOBBIN_ENTRY int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) {
  const bool own = thread == pthread_self();
  if (own && !keep_kernel_thread(Hold::Alone)) return EAGAIN;
  if (!names_fiber(thread)) return c_library().getcpuclockid(thread, clock);
  const Thread* named = thread_of(thread);
  const Worker* home = named != nullptr ? named->home : nullptr;
  if (home == nullptr && !own) return ENOENT;
  *clock = home != nullptr ? clock_of(home->kernel_thread) : CLOCK_THREAD_CPUTIME_ID;
  return 0;
}

BOBBIN_ENTRY pid_t pthread_gettid_np(pthread_t thread) {
  if (thread == pthread_self()) return static_cast<pid_t>(syscall(SYS_gettid));
  const pid_t id = c_library().gettid != nullptr ? c_library().gettid(thread) : -1;
  if (!is_fiber_id(id)) return id;
  // The kernel thread of another fiber, if any, may change at once unless it keeps one.
  const Thread* named = thread_of(thread);
  const Worker* home = named != nullptr ? named->home : nullptr;
  return home != nullptr ? static_cast<pid_t>(home->kernel_thread) : -1;
}

#endif
