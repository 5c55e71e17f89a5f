// SPDX-License-Identifier: Apache-2.0
// A thread keeps its stack from region to region, and the things that the kernel ties to the kernel
// thread that it was on.
#include "../common/abuse.h"

static _Thread_local char *stack_low, *stack_end;

// A runtime that checks for overflow remembers a thread's stack.
static void stack(int threads) {
  for (int i = 0; i < 40; i++) {
    const int size = i % 2 ? threads : threads / 2;
#pragma omp parallel num_threads(size)
    {
      char here;
      if (stack_low == NULL) {
        pthread_attr_t attributes;
        void* low;
        size_t bytes;
        CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0);
        pthread_attr_getstack(&attributes, &low, &bytes);
        pthread_attr_destroy(&attributes);
        stack_low = low;
        stack_end = stack_low + bytes;
      }
      CHECK(&here >= stack_low && &here < stack_end);
#pragma omp barrier
      CHECK(&here >= stack_low && &here < stack_end);
    }
  }
}

static void stacks_of_nested_teams(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 40; i++) {
#pragma omp parallel num_threads(1 + i % 8)
    {
      char here;
      static _Thread_local char* page;
      char* now = (char*)((uintptr_t)&here & ~(uintptr_t)0xffff);
      if (page == NULL) page = now;
      CHECK(now - page <= 0x10000 && page - now <= 0x10000);
    }
  }
}

// All threads block at once, so each is on its own kernel thread when it forks.
static void children_that_die_with_their_parent(void) {
  enum { kThreads = 16 };
  static pid_t children[kThreads];
  int gate[2], alive[2];
  CHECK(pipe(gate) == 0 && pipe(alive) == 0);
#pragma omp parallel num_threads(kThreads)
  {
    char byte;
    const int me = omp_get_thread_num();
    if (me == kThreads - 1) {
      for (int i = 0; i < kThreads - 1; i++) CHECK(write(gate[1], "x", 1) == 1);
    } else {
      CHECK(read(gate[0], &byte, 1) == 1);
    }
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      close(alive[1]);
      const ssize_t end = read(alive[0], &byte, 1);  // until the program closes it
      _exit(end == 0 ? 7 : 1);
    }
    children[me] = child;
  }
  // Time for idle kernel threads to end.
  usleep(300000);
  for (int i = 0; i < 20; i++) region(kThreads);
  usleep(300000);
  close(alive[1]);
  for (int i = 0; i < kThreads; i++) {
    int status;
    CHECK(waitpid(children[i], &status, 0) == children[i]);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
}

int main(int argc, char** argv) {
  alarm(kPatience);
  CHECK(argc == 2);
  if (strcmp(argv[1], "stack") == 0) {
    stack(4);
    stack(33);
  } else if (strcmp(argv[1], "stacks-of-nested-teams") == 0) {
    stacks_of_nested_teams();
  } else if (strcmp(argv[1], "children") == 0) {
    children_that_die_with_their_parent();
  } else {
    return 2;
  }
  return 0;
}
