// SPDX-License-Identifier: Apache-2.0
#include "sched/roots/credentials.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

// glibc's SIGSETXID. sigaction() refuses this signal, so the system call is made directly.
constexpr int kBroadcast = 33;

using Handler = void (*)(int, siginfo_t*, void*);

// The kernel's layout on x86-64 and on AArch64.
struct KernelAction {
  Handler handler;
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

Atomic<Handler> c_library_handler{nullptr};

bool exchange_action(const KernelAction* wanted, KernelAction* present) {
  return syscall(SYS_rt_sigaction, kBroadcast, wanted, present, sizeof(uint64_t)) == 0;
}

// Does not use the fiber that runs: in the middle of a switch that may be the old or the new one.
ThreadPointer thread_pointer_of(pid_t kernel_thread) {
  ThreadPointer found = nullptr;
  pool.each([&](const Worker& worker) {
    if (worker.kernel_thread == kernel_thread) found = worker.native_tls;
    return found != nullptr;
  });
  return found;
}

void on_broadcast(int signal, siginfo_t* info, void* context) {
  const ThreadPointer present = current_thread_pointer();
  const ThreadPointer own = thread_pointer_of(static_cast<pid_t>(syscall(SYS_gettid)));
  if (own != nullptr) set_thread_pointer(own);
  c_library_handler.load(acquire)(signal, info, context);
  set_thread_pointer(present);
}

}  // namespace

void guard_credentials() {
  KernelAction action{};
  if (!provider.threads_move || !exchange_action(nullptr, &action)) return;
  const bool there_is_one = (action.flags & SA_SIGINFO) != 0 && action.handler != nullptr;
  if (!there_is_one || action.handler == on_broadcast) return;
  c_library_handler.store(action.handler, release);
  action.handler = on_broadcast;
  exchange_action(&action, nullptr);
}

}  // namespace bobbin
