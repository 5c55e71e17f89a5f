// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/syscall.h>

#include <cstdint>
#include <cstring>

#include "platform/raw_syscall.h"

namespace bobbin {

// Signals 1 to 64 in the kernel's form: bit s - 1 for signal s.
using SignalSet = uint64_t;

inline constexpr int kSignals = 64;

constexpr SignalSet bit_of_signal(int signal) { return SignalSet{1} << (signal - 1); }

// What a kernel thread blocks while it executes only code of the runtime: all except faults, and
// the signals by which the C library reaches each of its threads (nptl/internaltypes: 32 and 33).
inline constexpr SignalSet kMaskOfOwnThreads = ~(
    bit_of_signal(SIGSEGV) | bit_of_signal(SIGBUS) | bit_of_signal(SIGFPE) | bit_of_signal(SIGILL) |
    bit_of_signal(SIGTRAP) | bit_of_signal(SIGSYS) | bit_of_signal(32) | bit_of_signal(33));

inline SignalSet to_signal_set(const sigset_t& set) {
  SignalSet bits;
  static_assert(sizeof set >= sizeof bits);
  memcpy(&bits, &set, sizeof bits);
  return bits;
}

inline void to_sigset(SignalSet bits, sigset_t* set) {
  sigemptyset(set);
  memcpy(set, &bits, sizeof bits);
}

// The calling kernel thread's mask, by a direct system call that nothing interposes.
// Async-signal-safe.
inline void set_kernel_mask(SignalSet blocked) {
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&blocked), 0, sizeof blocked);
}

inline SignalSet kernel_mask() {
  SignalSet blocked = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&blocked), sizeof blocked);
  return blocked;
}

}  // namespace bobbin
