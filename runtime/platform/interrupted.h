// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/syscall.h>
#include <ucontext.h>

#include <cerrno>
#include <cstdint>

#include "platform/signal_set.h"

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

  // Makes an interrupted system call fail with EINTR, where the kernel would restart it because the
  // handler was installed with SA_RESTART. A system call that was about to start is treated as an
  // interrupted one, because the two cannot be told apart from outside.
  void fail_system_call() {
#if defined(__x86_64__)
    auto& registers = context_.uc_mcontext.gregs;
    const auto* code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
    if (code[0] != 0x0f || code[1] != 0x05 || !may_be_interrupted(registers[REG_RAX])) return;
    registers[REG_RAX] = -EINTR;
    registers[REG_RIP] += 2;
#elif defined(__aarch64__)
    auto& registers = context_.uc_mcontext;
    if (*reinterpret_cast<const uint32_t*>(registers.pc) != 0xd4000001U) return;  // svc #0
    if (!may_be_interrupted(static_cast<long long>(registers.regs[8]))) return;
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

  // If the handler returns on another kernel thread than the one it started on, the kernel applies
  // the mask and the alternate stack from this context to that thread.
  void return_blocking(SignalSet these) { set_blocked(blocked() | these); }
  void keep_alternate_stack() { sigaltstack(nullptr, &context_.uc_stack); }

 private:
  // System calls that a handler without SA_RESTART interrupts, and a handler with it does not
  // (signal(7)).
  static bool may_be_interrupted(long long call) {
    switch (call) {
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
        return true;
      default:
        return false;
    }
  }

  ucontext_t& context_;
};

}  // namespace bobbin
