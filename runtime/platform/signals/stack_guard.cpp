// SPDX-License-Identifier: Apache-2.0
#include "platform/signals/stack_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "platform/atomic.h"
#include "platform/signals/alternate_stack.h"

namespace bobbin {
namespace {

// Also serves the program's own SA_ONSTACK handlers, which may call printf or unwind the stack.
constexpr std::size_t kAltStackSize = 64 * 1024;
// How far below the stack pointer code may touch memory: the red zone and stack probes.
constexpr uintptr_t kBelowSp = 64 * 1024;
// The largest frame that is assumed when the stack pointer itself has left the stack.
constexpr uintptr_t kFrame = 64 * 1024 * 1024;

// Written once, before the handler is installed; read by the handler.
StackGuardHooks g_hooks;
struct sigaction g_previous;

uintptr_t stack_pointer_of(const void* context) {
  const auto* uc = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  return static_cast<uintptr_t>(uc->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(uc->uc_mcontext.sp);
#else
  (void)uc;
  return 0;
#endif
}

// The kernel reads the set before it looks at `how`, so an impossible `how` makes this a probe:
// EINVAL where memory is readable, EFAULT where not.
bool is_readable(uintptr_t address) {
  constexpr int kNoSuchHow = -1;
  constexpr std::size_t kSetSize = 8;
  return syscall(SYS_rt_sigprocmask, kNoSuchHow, address & ~uintptr_t{7}, nullptr, kSetSize) !=
             -1 ||
         errno != EFAULT;
}

// Recognises an overflow of a stack that the program made, whose bounds are therefore not known.
// Either the access is just below the stack pointer (a call, a push, a probe), or the stack pointer
// itself has left the stack and the access is in the frame above it. A write beyond the *top* of a
// stack is neither case, because the stack pointer is valid then.
bool looks_like_overflow(uintptr_t address, uintptr_t sp) {
  if (sp == 0) return false;
  if (address < sp) return sp - address <= kBelowSp;
  return address - sp <= kFrame && !is_readable(sp);
}

// A message that is put together without stdio, because stdio takes locks.
class Line {
 public:
  Line& operator<<(const char* text) {
    while (*text != '\0' && length_ < sizeof buffer_) buffer_[length_++] = *text++;
    return *this;
  }
  Line& operator<<(int number) {
    char digits[16];
    char* p = digits + sizeof digits - 1;
    *p = '\0';
    unsigned rest = number < 0 ? 0U - static_cast<unsigned>(number) : static_cast<unsigned>(number);
    do *--p = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0) *--p = '-';
    return *this << static_cast<const char*>(p);
  }
  void send() const {
    ssize_t ignored = write(STDERR_FILENO, buffer_, length_);
    (void)ignored;
  }

 private:
  char buffer_[256];
  std::size_t length_ = 0;
};

void report_if_overflow(const siginfo_t* info, const void* context) {
  if (info->si_code <= 0) return;  // sent by kill() and the like
  Line line;
  int thread_num = -1;
  bool made_by_runtime =
      g_hooks.describe != nullptr && g_hooks.describe(info->si_addr, &thread_num);
  if (!made_by_runtime) {
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    if (!looks_like_overflow(address, stack_pointer_of(context))) return;
    made_by_runtime = g_hooks.on_own_kernel_thread != nullptr && g_hooks.on_own_kernel_thread();
  }
  // A stack entered for a call has no thread of its own. The calling thread overflowed it.
  if (thread_num < 0 && g_hooks.current_thread_num != nullptr)
    thread_num = g_hooks.current_thread_num();
  if (made_by_runtime) {
    line << "bobbin: stack overflow in OpenMP thread " << thread_num
         << ": its stack is used up; raise OMP_STACKSIZE (e.g. OMP_STACKSIZE=64M)\n";
    line.send();
    return;
  }
  if (thread_num < 0) return;
  line << "bobbin: stack overflow in OpenMP thread " << thread_num;
  if (getpid() == static_cast<pid_t>(syscall(SYS_gettid)))
    line << ", which runs on the initial thread's stack: raise it with `ulimit -s`";
  else
    line << ", which runs on the stack of a thread that the program made: raise it there";
  line << " (OMP_STACKSIZE is for the other threads)\n";
  line.send();
}

void restore_default() {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGSEGV, &action, nullptr);
}

void on_sigsegv(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  report_if_overflow(info, context);
  if (g_previous.sa_handler != SIG_DFL) {
    if ((g_previous.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) restore_default();
    errno = saved_errno;
    if ((g_previous.sa_flags & SA_SIGINFO) != 0)
      g_previous.sa_sigaction(signal, info, context);
    else
      g_previous.sa_handler(signal);
    return;
  }
  restore_default();
  // A fault occurs again by itself when the instruction is retried. A signal that was sent must be
  // sent again, directly by tgkill, because a fiber's pthread_t does not name a kernel thread. It
  // stays blocked until this handler returns.
  if (info->si_code <= 0) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
  errno = saved_errno;
}

}  // namespace

void install_stack_guard(const StackGuardHooks& hooks) {
  static Atomic<bool> installed{false};
  if (installed.exchange(true, acq_rel)) return;
  struct sigaction previous;
  if (sigaction(SIGSEGV, nullptr, &previous) != 0) return;
  if (previous.sa_handler == SIG_IGN) return;
  const bool has_handler = previous.sa_handler != SIG_DFL;
  if (has_handler && (previous.sa_flags & SA_ONSTACK) == 0) return;

  g_hooks = hooks;
  g_previous = previous;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_sigsegv;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (has_handler) {
    // The kernel blocks the signals that the program's handler wants blocked, because that handler
    // is called from inside ours.
    action.sa_mask = previous.sa_mask;
    action.sa_flags |= previous.sa_flags & (SA_NODEFER | SA_RESTART);
  }
  sigaction(SIGSEGV, &action, nullptr);
}

bool AltStack::install() {
  stack_t current;
  if (mapping_ != nullptr || !exchange_alternate_stack(nullptr, &current)) return false;
  if ((current.ss_flags & SS_DISABLE) == 0) return true;

  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t size = kAltStackSize;
#ifdef AT_MINSIGSTKSZ
  // The frame that the kernel pushes grows with the vector registers (AMX alone is 8 KiB).
  size += (getauxval(AT_MINSIGSTKSZ) + page - 1) / page * page;
#endif
  // The lowest page stays inaccessible, because the alternate stack may overflow, too.
  void* mapping = mmap(nullptr, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return false;
  stack_t wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.ss_sp = static_cast<char*>(mapping) + page;
  wanted.ss_size = size;
  if (mprotect(wanted.ss_sp, size, PROT_READ | PROT_WRITE) != 0 ||
      !exchange_alternate_stack(&wanted, nullptr)) {
    munmap(mapping, size + page);
    return false;
  }
  mapping_ = mapping;
  mapping_size_ = size + page;
  return true;
}

void AltStack::remove() {
  void* mapping = mapping_;
  mapping_ = nullptr;
  stack_t current;
  if (mapping == nullptr || !exchange_alternate_stack(nullptr, &current)) return;
  const char* low = static_cast<const char*>(mapping);
  const char* used = static_cast<const char*>(current.ss_sp);
  if ((current.ss_flags & SS_DISABLE) == 0 && used >= low && used < low + mapping_size_) {
    if ((current.ss_flags & SS_ONSTACK) != 0) return;
    stack_t none;
    memset(&none, 0, sizeof none);
    none.ss_flags = SS_DISABLE;
    exchange_alternate_stack(&none, nullptr);
  }
  munmap(mapping, mapping_size_);
}

}  // namespace bobbin
