// SPDX-License-Identifier: Apache-2.0
// A dependence of a library with thread-local storage. The loader relocates this one first and
// calls the resolver below. So the load stops at a point where the other library is mapped and has
// no place for its variables yet. Nothing here is relocated at that time, so no function of the C
// library is called.
#include <sys/syscall.h>

#include "dl_tls_meanwhile.h"

static long transfer(long call, long file, char* byte) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(call), "D"(file), "S"(byte), "d"(1L)
                   : "rcx", "r11", "memory");
  return result;
#else
  register long x8 __asm__("x8") = call;
  register long x0 __asm__("x0") = file;
  register char* x1 __asm__("x1") = byte;
  register long x2 __asm__("x2") = 1;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
#endif
}

static void nothing(void) {}

__attribute__((no_stack_protector)) static void (*resolve(void))(void) {
  char byte = 0;
  transfer(SYS_write, kLoaderWaits, &byte);
  transfer(SYS_read, kLoaderGoesOn, &byte);
  return nothing;
}

void tls_waiting(void) __attribute__((ifunc("resolve")));

// Makes the loader resolve it when the library is relocated.
void (*const tls_waiting_pointer)(void) = tls_waiting;
