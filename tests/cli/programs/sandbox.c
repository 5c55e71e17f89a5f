// SPDX-License-Identifier: Apache-2.0
// Restricts itself, by a filter of system calls, to the calls that libgomp needs, before the first
// region. Any other call gets the error, or ends the process if that is "kill". "no-futex": futex
// gets an error, too.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int allowed[] = {
    // The calls by which the C library makes and ends threads and gets memory, ...
    SYS_clone3, SYS_clone, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_madvise, SYS_brk,
    SYS_set_robust_list, SYS_rseq, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_exit, SYS_exit_group,
    SYS_write,
    // ... and the one by which libgomp waits, the last one here.
    SYS_futex};

enum { kCalls = sizeof allowed / sizeof allowed[0] };

static int shut_up(unsigned action, int calls) {
  struct sock_filter code[kCalls + 3];
  size_t n = 0;
  code[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < calls; i++) {
    unsigned char to_end = (unsigned char)(calls - i);
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], to_end, 0);
  }
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)n, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static long fib(int n) {
  if (n < 2) return n;
  long a;
  long b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(int argc, char** argv) {
  const char* word = argc > 1 ? argv[1] : "";
  int error = strcmp(word, "ENOSYS") == 0 ? ENOSYS : EPERM;
  unsigned action =
      strcmp(word, "kill") == 0 ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | (unsigned)error;
  int calls = strcmp(word, "no-futex") == 0 ? kCalls - 1 : kCalls;
  if (shut_up(action, calls) != 0) return 77;
  long sum = 0;
  long found = 0;
  long locked = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (int round = 0; round < 200; round++) {
#pragma omp parallel num_threads(9)
    {
#pragma omp for schedule(dynamic) reduction(+ : sum)
      for (int i = 0; i < 100; i++) sum += i;
#pragma omp barrier
      omp_set_lock(&lock);
      locked++;
      omp_unset_lock(&lock);
#pragma omp critical
      found++;
#pragma omp single
      if (round % 50 == 0) found += fib(12) - 144;
    }
  }
  char text[64];
  int length = snprintf(text, sizeof text, "sum %ld found %ld\n", sum, found + locked);
  return write(1, text, (size_t)length) == length ? 0 : 1;
}
