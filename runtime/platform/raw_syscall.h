// SPDX-License-Identifier: Apache-2.0
// A system call in the runtime's own code, not in the C library's. errno stays unchanged, and the
// signal code (sched/signals/signals.h) can see from the address that the runtime was interrupted.
#pragma once

namespace bobbin {

// Returns the kernel's answer: the result, or a negated error number.
inline long raw_syscall(long number, long first, long second, long third, long fourth = 0,
                        long fifth = 0, long sixth = 0) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = fourth;
  register long r8 __asm__("r8") = fifth;
  register long r9 __asm__("r9") = sixth;
  __asm__ __volatile__("syscall"
                       : "=a"(result)
                       : "0"(number), "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8),
                         "r"(r9)
                       : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = first;
  register long x1 __asm__("x1") = second;
  register long x2 __asm__("x2") = third;
  register long x3 __asm__("x3") = fourth;
  register long x4 __asm__("x4") = fifth;
  register long x5 __asm__("x5") = sixth;
  __asm__ __volatile__("svc #0"
                       : "+r"(x0)
                       : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                       : "memory");
  return x0;
#else
#error "raw_syscall: no system call sequence for this architecture"
#endif
}

}  // namespace bobbin
