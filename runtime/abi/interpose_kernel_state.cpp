// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdarg>
#include <cstring>

#include "abi/c_library.h"
#include "abi/export.h"
#include "abi/kernel_state.h"
#include "fiber/tls/tls_block.h"
#include "platform/raw_syscall.h"
#include "platform/signals/passed_call.h"
#include "sched/workers/pool.h"

// Calls that take hold of what the kernel keeps for a kernel thread: the caller keeps one from then
// on (sched/kernel_threads/kept.h), before the call reaches the kernel. Those that the C library
// has under the name of the system call are made here directly.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

namespace {

long answer(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

// The thread's alternate stack is one of the runtime's until the program asks: a new thread has
// none.
void have_no_alternate_stack() {
  const Thread* thread = tls_thread;
  if (thread != nullptr && provider.threads_move && is_kept(*thread))
    thread->home->alt_stack.remove();
}

long call_kernel(long number, long a, long b, long c, long d, long e, long f) {
  return answer(raw_syscall(number, a, b, c, d, e, f));
}

// The event of a timer, with the number of the kernel thread that the caller had as that of the one
// that it keeps.
sigevent of_kept(const sigevent& event, long before) {
  sigevent moved = event;
  if (moved.sigev_notify == SIGEV_THREAD_ID && moved._sigev_un._tid == before)
    moved._sigev_un._tid = static_cast<pid_t>(raw_syscall(SYS_gettid, 0, 0, 0));
  return moved;
}

// The number of the caller's kernel thread means the one that it keeps, after it has moved.
[[gnu::noinline]] long take_and_call(long number, long (&arguments)[6]) {
  const long before = raw_syscall(SYS_gettid, 0, 0, 0);
  const Taken taken = taken_by_syscall(number, arguments, before);
  if (taken.any && !keep_kernel_thread(taken.hold)) {
    errno = EAGAIN;
    return -1;
  }
  if (number == SYS_sigaltstack) have_no_alternate_stack();
  const int naming = naming_argument(number);
  if (naming >= 0 && static_cast<int>(arguments[naming]) == before)
    arguments[naming] = raw_syscall(SYS_gettid, 0, 0, 0);
  sigevent moved;
  if (number == SYS_timer_create && taken.any && arguments[1] != 0) {
    moved = of_kept(*reinterpret_cast<const sigevent*>(arguments[1]), before);
    arguments[1] = reinterpret_cast<long>(&moved);
  }
  return call_kernel(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                     arguments[5]);
}

long take_and_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
  long arguments[6] = {a, b, c, d, e, 0};
  return take_and_call(number, arguments);
}

long of(const void* pointer) { return reinterpret_cast<long>(pointer); }

// A name costs no kernel thread: see pthread_setname_np().
int name_fiber(const char* name) {
  char copy[16] = {};
  memcpy(copy, name, strnlen(name, sizeof copy - 1));
  return pthread_setname_np(pthread_self(), copy);
}

}  // namespace

BOBBIN_ENTRY long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  if (may_take(number)) [[unlikely]]
    return take_and_call(number, arguments);
  // It may sleep, and a signal is handled at once only outside of the runtime's own code. The first
  // callers are allocators.
  if (const CLibrary* c = c_library_if_found()) [[likely]] {
    const PassingCall passing(number, arguments[0]);
    return c->syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                      arguments[5]);
  }
  return call_kernel(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                     arguments[5]);
}

BOBBIN_ENTRY int sigaltstack(const stack_t* wanted, stack_t* before) {
  return static_cast<int>(take_and_call(SYS_sigaltstack, of(wanted), of(before)));
}

// They cannot fail: without a kernel thread of its own the thread keeps its identity, as it would
// without the right to change it.
BOBBIN_ENTRY int setfsuid(uid_t id) {
  const bool keeps = keep_kernel_thread(Hold::HandDown);
  return static_cast<int>(raw_syscall(SYS_setfsuid, keeps ? static_cast<long>(id) : -1, 0, 0));
}

BOBBIN_ENTRY int setfsgid(gid_t id) {
  const bool keeps = keep_kernel_thread(Hold::HandDown);
  return static_cast<int>(raw_syscall(SYS_setfsgid, keeps ? static_cast<long>(id) : -1, 0, 0));
}

BOBBIN_NATIVE_ENTRY int capset(cap_user_header_t header, cap_user_data_t data) {
  return static_cast<int>(take_and_call(SYS_capset, of(header), of(data)));
}

BOBBIN_ENTRY int unshare(int what) { return static_cast<int>(take_and_call(SYS_unshare, what)); }

BOBBIN_ENTRY int setns(int file, int kind) {
  return static_cast<int>(take_and_call(SYS_setns, file, kind));
}

BOBBIN_ENTRY int personality(unsigned long domain) {
  return static_cast<int>(take_and_call(SYS_personality, static_cast<long>(domain)));
}

BOBBIN_ENTRY int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  long arguments[4];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  if (option == PR_SET_NAME && is_fiber(pthread_self()) && !is_kept(*tls_thread))
    return name_fiber(reinterpret_cast<const char*>(arguments[0]));
  return static_cast<int>(
      take_and_call(SYS_prctl, option, arguments[0], arguments[1], arguments[2], arguments[3]));
}

BOBBIN_ENTRY int sched_setscheduler(pid_t thread, int policy, const sched_param* param) {
  return static_cast<int>(take_and_call(SYS_sched_setscheduler, thread, policy, of(param)));
}

BOBBIN_ENTRY int sched_setparam(pid_t thread, const sched_param* param) {
  return static_cast<int>(take_and_call(SYS_sched_setparam, thread, of(param)));
}

BOBBIN_ENTRY int setpriority(__priority_which_t which, id_t who, int priority) {
  return static_cast<int>(
      take_and_call(SYS_setpriority, static_cast<long>(which), static_cast<long>(who), priority));
}

BOBBIN_ENTRY int nice(int increment) {
  const int before = errno;
  errno = 0;
  const int now = getpriority(PRIO_PROCESS, 0);
  if (now == -1 && errno != 0) return -1;
  if (setpriority(PRIO_PROCESS, 0, now + increment) != 0) {
    if (errno == EACCES) errno = EPERM;
    return -1;
  }
  errno = before;
  return getpriority(PRIO_PROCESS, 0);
}

BOBBIN_ENTRY long ptrace(__ptrace_request request, ...) {
  va_list list;
  va_start(list, request);
  const auto process = va_arg(list, pid_t);
  void* address = va_arg(list, void*);
  void* data = va_arg(list, void*);
  va_end(list);
  if (keep_kernel_thread(Hold::Stay)) return c_library().ptrace(request, process, address, data);
  errno = EAGAIN;
  return -1;
}

BOBBIN_ENTRY int clock_gettime(clockid_t clock, timespec* time) {
  if (clock == CLOCK_THREAD_CPUTIME_ID) [[unlikely]]
    return static_cast<int>(take_and_call(SYS_clock_gettime, clock, of(time)));
  return c_library().clock_gettime(clock, time);
}

BOBBIN_ENTRY int getrusage(__rusage_who_t who, struct rusage* usage) {
  return static_cast<int>(take_and_call(SYS_getrusage, who, of(usage)));
}

BOBBIN_ENTRY int timer_create(clockid_t clock, sigevent* event, timer_t* timer) {
  long arguments[6] = {clock, of(event)};
  const long before = raw_syscall(SYS_gettid, 0, 0, 0);
  if (!taken_by_syscall(SYS_timer_create, arguments, before).any)
    return c_library().timer_create(clock, event, timer);
  if (!keep_kernel_thread(Hold::Alone)) {
    errno = EAGAIN;
    return -1;
  }
  if (event == nullptr) return c_library().timer_create(clock, event, timer);
  sigevent moved = of_kept(*event, before);
  return c_library().timer_create(clock, &moved, timer);
}

#endif
