// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

namespace bobbin {

// The C library's own definitions of what abi/interpose*.cpp define.
struct CLibrary {
  decltype(&clock_nanosleep) sleep;
  decltype(&sched_setaffinity) setaffinity_of;  // a kernel thread's
  decltype(&sched_getaffinity) getaffinity_of;
  decltype(&pthread_setaffinity_np) setaffinity;
  decltype(&pthread_getaffinity_np) getaffinity;
  decltype(&pthread_getschedparam) getschedparam;
  decltype(&pthread_setschedparam) setschedparam;
  decltype(&pthread_setschedprio) setschedprio;
  decltype(&pthread_sigmask) set_mask;
  decltype(&pthread_kill) kill;
  decltype(&pthread_sigqueue) sigqueue;
  decltype(&::sigtimedwait) sigtimedwait;
  decltype(&::sigsuspend) sigsuspend;
  decltype(&::clock_gettime) clock_gettime;
  decltype(&::timer_create) timer_create;
  decltype(&::ptrace) ptrace;
  decltype(&::syscall) syscall;
  decltype(&pthread_getcpuclockid) getcpuclockid;
  decltype(&pthread_setname_np) setname;
  decltype(&pthread_getname_np) getname;
  decltype(&pthread_getattr_np) getattr;
  pid_t (*gettid)(pthread_t);  // from glibc 2.42 on
  decltype(&pthread_mutexattr_setprotocol) setprotocol;
  decltype(&pthread_mutexattr_setrobust) setrobust;
  decltype(&pthread_key_create) key_create;
  decltype(&pthread_key_delete) key_delete;
  decltype(&dlclose) close;
  using Jump = void (*)(__jmp_buf_tag*, int);
  Jump jump_long;
  Jump jump_bsd;
  Jump jump_with_mask;
  Jump jump_checked;
};

const CLibrary& c_library();

// The same without a search. nullptr: they have not been found yet.
const CLibrary* c_library_if_found();

// Finds these functions, once, at start-up. A later search could wait forever: it takes the
// loader's lock, and a thread that waits for a worker may hold that (a region in the constructor of
// a library being loaded).
void init_interposed();

// Is `thread` the calling thread, and a fiber? Also true where a root runs the destructors of a
// fiber.
bool is_fiber(pthread_t thread);

}  // namespace bobbin
