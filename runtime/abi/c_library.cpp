// SPDX-License-Identifier: Apache-2.0
#include "abi/c_library.h"

#include <gnu/libc-version.h>

#include "fiber/tls/tls_block.h"
#include "platform/loader/own_imports.h"
#include "platform/signals/passed_call.h"
#include "platform/text.h"
#include "sched/workers/pool.h"
#include "team/model/thread.h"

namespace bobbin {

// Sanitizers interpose these functions themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

void init_interposed() {}

#else

namespace {

CLibrary found;
bool searched;

// A failed search allocates memory for a message. If the program has its own allocator, the
// allocator may call the functions defined here when it allocates first. So nothing is searched for
// that may not be there. Nor may the C library be opened before it is initialised, although some
// sanitizers call even then: its initialiser would run at once, and see no environment.
class Search {
 public:
  Search() {
    if (dlsym(RTLD_NEXT, "clock_nanosleep") != nullptr) return;
    // If dlopen loaded Bobbin itself, nothing comes next in that scope.
    scope_ = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  }

  template <class Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(dlsym(scope_, name));
  }

 private:
  void* scope_ = RTLD_NEXT;
};

// Tests for glibc 2.MINOR. It uses no function that AddressSanitizer checks, because that
// sanitizer's initialiser may be the caller.
bool glibc_is_at_least(unsigned minor) {
  const char* version = gnu_get_libc_version();
  if (version[0] != '2' || version[1] != '.') return false;
  unsigned present = 0;
  for (version += 2; is_digit(*version); version++) {
    present = 10 * present + static_cast<unsigned>(*version - '0');
  }
  return present >= minor;
}

}  // namespace

void init_interposed() {
  bind_own_imports();  // an interposed function may be called before the library's initialisers
  const Search search;
  search.find(found.sleep, "clock_nanosleep");
  search.find(found.setaffinity_of, "sched_setaffinity");
  search.find(found.getaffinity_of, "sched_getaffinity");
  search.find(found.setaffinity, "pthread_setaffinity_np");
  search.find(found.getaffinity, "pthread_getaffinity_np");
  search.find(found.getschedparam, "pthread_getschedparam");
  search.find(found.setschedparam, "pthread_setschedparam");
  search.find(found.setschedprio, "pthread_setschedprio");
  search.find(found.set_mask, "pthread_sigmask");
  search.find(found.kill, "pthread_kill");
  search.find(found.sigqueue, "pthread_sigqueue");
  search.find(found.sigtimedwait, "sigtimedwait");
  search.find(found.sigsuspend, "sigsuspend");
  search.find(found.clock_gettime, "clock_gettime");
  search.find(found.timer_create, "timer_create");
  search.find(found.ptrace, "ptrace");
  search.find(found.syscall, "syscall");
  passing_function = reinterpret_cast<uintptr_t>(found.syscall);
  search.find(found.getcpuclockid, "pthread_getcpuclockid");
  search.find(found.setname, "pthread_setname_np");
  search.find(found.getname, "pthread_getname_np");
  search.find(found.getattr, "pthread_getattr_np");
  if (glibc_is_at_least(42)) search.find(found.gettid, "pthread_gettid_np");
  search.find(found.setprotocol, "pthread_mutexattr_setprotocol");
  search.find(found.setrobust, "pthread_mutexattr_setrobust");
  search.find(found.key_create, "pthread_key_create");
  search.find(found.key_delete, "pthread_key_delete");
  search.find(found.close, "dlclose");
  search.find(found.jump_long, "longjmp");
  search.find(found.jump_bsd, "_longjmp");
  search.find(found.jump_with_mask, "siglongjmp");
  search.find(found.jump_checked, "__longjmp_chk");
  searched = true;
}

// Also serves calls from a constructor that runs before the library's own.
const CLibrary& c_library() {
  if (!searched) [[unlikely]]
    init_interposed();
  return found;
}

const CLibrary* c_library_if_found() { return searched ? &found : nullptr; }

bool is_fiber(pthread_t thread) {
  return thread == pthread_self() && tls_thread != nullptr && provider.threads_move &&
         (tls_thread->home == nullptr || names_fiber(thread));
}

#endif

}  // namespace bobbin
