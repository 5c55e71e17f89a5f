// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/syscall.h>
#include <ucontext.h>

#include <cerrno>
#include <cstdint>

#include "platform/signals/alternate_stack.h"
#include "platform/signals/signal_set.h"

namespace bobbin {

// The interrupted context, from the third argument of a signal handler.
class Interrupted {
 public:
  explicit Interrupted(void* context) : context_(*static_cast<ucontext_t*>(context)) {}

  uintptr_t pc() const {
#if defined(__x86_64__)
    return static_cast<uintptr_t>(context_.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context_.uc_mcontext.pc;
#else
    return 0;
#endif
  }

  const char* sp() const {
#if defined(__x86_64__)
    return reinterpret_cast<const char*>(context_.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const char*>(context_.uc_mcontext.sp);
#else
    return nullptr;
#endif
  }

  // Makes a system call that is about to start fail with EINTR, as if a handler of the program had
  // interrupted it. The call may have been interrupted before: the kernel starts it again because
  // the runtime's handler has SA_RESTART, or the runtime does (platform/signals/failed_call.h). The
  // two cases cannot be told apart. `restarts`: the program's handler has SA_RESTART.
  void fail_system_call(bool restarts) {
#if defined(__x86_64__)
    auto& registers = context_.uc_mcontext.gregs;
    const auto* code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
    if (code[0] != 0x0f || code[1] != 0x05) return;
    if (!may_be_interrupted(registers[REG_RAX], restarts)) return;
    registers[REG_RAX] = -EINTR;
    registers[REG_RIP] += 2;
#elif defined(__aarch64__)
    auto& registers = context_.uc_mcontext;
    if (*reinterpret_cast<const uint32_t*>(registers.pc) != kSvc) return;
    if (!may_be_interrupted(static_cast<long long>(registers.regs[8]), restarts)) return;
    registers.regs[0] = static_cast<unsigned long long>(-EINTR);
    registers.pc += 4;
#endif
  }

  // The mask that the handler's return sets.
  SignalSet blocked() const { return to_signal_set(context_.uc_sigmask); }
  void set_blocked(SignalSet these) { to_sigset(these, &context_.uc_sigmask); }

  // The alternate stack of the kernel thread that was interrupted.
  bool on_alternate_stack(const char* address) const {
    const stack_t& stack = context_.uc_stack;
    const auto* lowest = static_cast<const char*>(stack.ss_sp);
    return (stack.ss_flags & SS_DISABLE) == 0 && address >= lowest &&
           address < lowest + stack.ss_size;
  }
  const char* alternate_stack() const { return static_cast<const char*>(context_.uc_stack.ss_sp); }

  // Has a system call just failed with EINTR?
  bool behind_failed_call() const {
#if defined(__x86_64__)
    const auto* code = reinterpret_cast<const unsigned char*>(pc());
    return context_.uc_mcontext.gregs[REG_RAX] == -EINTR && code[-2] == 0x0f && code[-1] == 0x05;
#elif defined(__aarch64__)
    const auto& registers = context_.uc_mcontext;
    return registers.regs[0] == static_cast<unsigned long long>(-EINTR) &&
           reinterpret_cast<const uint32_t*>(registers.pc)[-1] == kSvc;
#else
    return false;
#endif
  }

  // The arguments of that call. On AArch64 the result has taken the place of the first.
  uint64_t argument(unsigned index) const {
#if defined(__x86_64__)
    return static_cast<uint64_t>(context_.uc_mcontext.gregs[kArguments[index]]);
#elif defined(__aarch64__)
    return context_.uc_mcontext.regs[index];
#else
    return 0;
#endif
  }
  void set_argument(unsigned index, uint64_t value) {
#if defined(__x86_64__)
    context_.uc_mcontext.gregs[kArguments[index]] = static_cast<greg_t>(value);
#elif defined(__aarch64__)
    context_.uc_mcontext.regs[index] = value;
#endif
  }

  // Makes that call start again when the handler returns. All arguments are to be in their places.
  void call_again(int number) {
#if defined(__x86_64__)
    auto& registers = context_.uc_mcontext.gregs;
    registers[REG_RAX] = number;
    registers[REG_RIP] -= 2;
#elif defined(__aarch64__)
    auto& registers = context_.uc_mcontext;
    registers.regs[8] = static_cast<unsigned long long>(number);
    registers.pc -= 4;
#endif
  }

  // If the handler returns on another kernel thread than the one it started on, the kernel applies
  // the mask and the alternate stack from this context to that thread.
  void return_blocking(SignalSet these) { set_blocked(blocked() | these); }
  void keep_alternate_stack() { exchange_alternate_stack(nullptr, &context_.uc_stack); }

 private:
#if defined(__x86_64__)
  static constexpr int kArguments[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
#elif defined(__aarch64__)
  static constexpr uint32_t kSvc = 0xd4000001U;  // svc #0
#endif

  // See signal(7).
  static bool may_be_interrupted(long long call, bool restarts) {
    switch (call) {
      // By any handler.
#ifdef SYS_poll
      case SYS_poll:
      case SYS_select:
      case SYS_epoll_wait:
      case SYS_pause:
#endif
      case SYS_ppoll:
      case SYS_pselect6:
      case SYS_epoll_pwait:
      case SYS_epoll_pwait2:
      case SYS_nanosleep:
      case SYS_clock_nanosleep:
      case SYS_semop:
      case SYS_semtimedop:
      case SYS_msgrcv:
      case SYS_msgsnd:
      case SYS_io_getevents:
      case SYS_rt_sigsuspend:
      case SYS_rt_sigtimedwait:
        return true;
      // By a handler without SA_RESTART.
      case SYS_read:
      case SYS_readv:
      case SYS_pread64:
      case SYS_write:
      case SYS_writev:
      case SYS_pwrite64:
      case SYS_ioctl:
      case SYS_openat:
#ifdef SYS_open
      case SYS_open:
#endif
      case SYS_wait4:
      case SYS_waitid:
      case SYS_accept:
      case SYS_accept4:
      case SYS_connect:
      case SYS_recvfrom:
      case SYS_recvmsg:
      case SYS_recvmmsg:
      case SYS_sendto:
      case SYS_sendmsg:
      case SYS_sendmmsg:
      case SYS_flock:
      case SYS_fcntl:
      case SYS_mq_timedreceive:
      case SYS_mq_timedsend:
      case SYS_futex:
      case SYS_getrandom:
        return !restarts;
      default:
        return false;
    }
  }

  ucontext_t& context_;
};

}  // namespace bobbin
