// SPDX-License-Identifier: Apache-2.0
// Threads write and read the same plain variables, in an order that only OpenMP establishes. A tool
// that looks for races must report only the case "race".
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 4, kRounds = 20, kItems = 64 };

static int failures;
static long shared[kItems];
static long own;
#pragma omp threadprivate(own)

static void check(int condition, const char* what) {
  if (condition) return;
  failures++;
  printf("wrong: %s\n", what);
}

// A function that the compiler cannot see into, so that it moves nothing across. clang 19 moves
// reads of variables out of the sections that they are in.
__attribute__((noinline)) static void count(long* counter) { (*counter)++; }

static void clear(void) {
  for (int i = 0; i < kItems; i++) shared[i] = 0;
}

static void fork_join(void) {
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kThreads; i++) shared[i] = round;
#pragma omp parallel num_threads(kThreads)
    shared[omp_get_thread_num()] += 1;
    long sum = 0;
    for (int i = 0; i < kThreads; i++) sum += shared[i];
    check(sum == kThreads * (round + 1L), "fork and join");
  }
}

static void nested(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < kRounds / 4; round++) {
    clear();
#pragma omp parallel num_threads(2)
    {
      long* mine = shared + 2 * omp_get_thread_num();
#pragma omp parallel num_threads(2)
      mine[omp_get_thread_num()]++;
      mine[0] += mine[1];
    }
    check(shared[0] + shared[2] == 4, "nested regions");
  }
}

static void barrier(void) {
  clear();
#pragma omp parallel num_threads(kThreads)
  {
    int me = omp_get_thread_num();
    for (int round = 0; round < kRounds; round++) {
      shared[me]++;
#pragma omp barrier
      long next = shared[(me + 1) % kThreads];
#pragma omp barrier
      shared[me] += next - shared[me];
    }
  }
  check(shared[0] == kRounds, "barrier");
}

static void loops(void) {
  long sum = 0;
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < kRounds; round++) {
#pragma omp for schedule(static)
    for (int i = 0; i < kItems; i++) shared[i] = i;
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < kItems; i++) shared[kItems - 1 - i] += 1;
#pragma omp for schedule(guided) reduction(+ : sum)
    for (int i = 0; i < kItems; i++) sum += shared[i];
  }
  check(sum == kRounds * (kItems * (kItems - 1L) / 2 + kItems), "loops");
  long last = 0;
#pragma omp parallel for num_threads(kThreads) schedule(dynamic) lastprivate(last)
  for (int i = 0; i < kItems; i++) last = i;
  check(last == kItems - 1, "lastprivate");
#if !defined(__clang__)
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel for num_threads(kThreads) schedule(dynamic) lastprivate(conditional : last)
    for (int i = 0; i < kItems; i++) {
      if (i % 5 == 1) last = i;
    }
    check(last == 61, "conditional lastprivate");
  }
#endif
}

static void single(void) {
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < kRounds; round++) {
    long given;
#pragma omp single copyprivate(given)
    {
      shared[0] = round;
      given = round;
    }
    check(given == round && shared[0] == round, "single");
#pragma omp barrier
#pragma omp master
    shared[0] = -1;
#pragma omp barrier
#pragma omp single
    check(shared[0] == -1, "master");
  }
}

static void sections(void) {
  clear();
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel sections num_threads(kThreads)
    {
      count(&shared[0]);
#pragma omp section
      count(&shared[1]);
#pragma omp section
      count(&shared[2]);
    }
  }
  check(shared[0] + shared[1] + shared[2] == 3 * kRounds, "sections");
}

static void critical(void) {
  clear();
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < 20 * kRounds; round++) {
#pragma omp critical
    shared[0]++;
#pragma omp critical(named)
    shared[1]++;
  }
  check(shared[0] == 20 * kThreads * kRounds && shared[1] == shared[0], "critical");
}

static void locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  clear();
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < 20 * kRounds; round++) {
    omp_set_lock(&lock);
    shared[0]++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    shared[1]++;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    if (omp_test_lock(&lock)) {
      shared[0] += 0;
      omp_unset_lock(&lock);
    }
    if (omp_test_nest_lock(&nest)) {
      shared[1] += 0;
      omp_unset_nest_lock(&nest);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  check(shared[0] == 20 * kThreads * kRounds && shared[1] == shared[0], "locks");
}

static void ordered(void) {
  clear();
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < kRounds; round++) {
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < kItems; i++) {
#pragma omp ordered
      shared[0] += i;
    }
  }
  check(shared[0] == kRounds * (kItems * (kItems - 1L) / 2), "ordered");
}

static void doacross(void) {
  for (int round = 0; round < kRounds / 4; round++) {
    clear();
#pragma omp parallel for num_threads(kThreads) ordered(1) schedule(static, 1)
    for (int i = 1; i < kItems; i++) {
#pragma omp ordered depend(sink : i - 1)
      shared[i] = shared[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    check(shared[kItems - 1] == kItems - 1, "doacross");
  }
}

static void reductions(void) {
  long sum = 0;
  long most = 0;
  long all[kItems] = {0};
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel num_threads(kThreads) reduction(+ : sum, all) reduction(max : most)
    {
      sum++;
      most = omp_get_thread_num() + round;
      for (int i = 0; i < kItems; i++) all[i]++;
    }
    check(sum == kThreads * (round + 1L) && all[7] == sum, "reductions");
    check(most == kThreads - 1 + round, "maximum");
  }
}

static void atomics(void) {
#if defined(__clang__)
  float wide = 0;  // other types need libatomic
#else
  long double wide = 0;
#endif
  double narrow = 0;
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < kRounds; round++) {
#pragma omp atomic
    wide += 1;
#pragma omp atomic
    narrow += 1;
  }
  check(wide == kThreads * kRounds && narrow == wide, "atomic");
}

static void copies(void) {
  own = 3;
#pragma omp parallel num_threads(kThreads) copyin(own)
  for (int round = 0; round < kRounds; round++) own++;
  long sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
  sum += own;
  check(sum == kThreads * (kRounds + 3), "threadprivate");
}

static long fib(int n) {
  if (n < 2) return n;
  long a;
  long b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void tasks(void) {
  long result = 0;
  for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(kThreads)
#pragma omp single
    result = fib(12);
    check(result == 144, "tasks");
  }
  for (int round = 0; round < kRounds; round++) {
    clear();
#pragma omp parallel num_threads(kThreads)
    {
#pragma omp single nowait
      for (int i = 0; i < kItems; i++) {
        long big[40] = {i};
#pragma omp task firstprivate(big)
        shared[i] = big[0];
      }
#pragma omp barrier
      check(shared[omp_get_thread_num()] == omp_get_thread_num(), "tasks at a barrier");
    }
    clear();
#pragma omp parallel num_threads(kThreads)
#pragma omp for
    for (int i = 0; i < kItems; i++) {
#pragma omp task untied
      shared[i]++;
    }
    for (int i = 0; i < kItems; i++) check(shared[i] == 1, "tasks at the end");
  }
}

static void taskgroups(void) {
  for (int round = 0; round < kRounds; round++) {
    clear();
#pragma omp parallel num_threads(kThreads)
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 8; i++) {
#pragma omp task
        {
#pragma omp task
          shared[2 * i]++;
          shared[2 * i + 1]++;
        }
      }
      long sum = 0;
      for (int i = 0; i < 16; i++) sum += shared[i];
      check(sum == 16, "taskgroup");
#pragma omp taskloop grainsize(4)
      for (int i = 0; i < kItems; i++) shared[i] = 1;
      sum = 0;
      for (int i = 0; i < kItems; i++) sum += shared[i];
      check(sum == kItems, "taskloop");
      sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
      for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : sum)
        sum++;
      }
      check(sum == 8, "task reduction");
    }
  }
}

static void dependences(void) {
  for (int round = 0; round < kRounds; round++) {
    long a = 0;
    long b = 0;
    long c = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
    {
      for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : a)
        a++;
#pragma omp task depend(in : a) depend(inout : b)
        b += a;
#pragma omp task depend(in : a) depend(mutexinoutset : c)
        c += a;
#pragma omp task depend(in : a) depend(mutexinoutset : c)
        c -= a;
      }
#pragma omp task depend(in : b)
      check(b == 36, "dependences");
#pragma omp task if (0) depend(inout : b)
      b++;
#pragma omp taskwait depend(in : c)
      check(c == 0 && b == 37, "taskwait with dependences");
    }
  }
}

static void detached(void) {
  for (int round = 0; round < kRounds; round++) {
    long a = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
    {
#pragma omp task detach(event) shared(a)
      a = 1;
#pragma omp task shared(a)
      {
        shared[0] = round;
        omp_fulfill_event(event);
      }
#pragma omp taskwait
      check(a == 1 && shared[0] == round, "detached tasks");
    }
  }
}

static void race(void) {
  clear();
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < kRounds; round++) shared[0]++;
}

static void race_of_tasks(void) {
  clear();
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  for (int i = 0; i < kItems; i++) {
#pragma omp task depend(in : shared[1])
    for (int k = 0; k < 20000; k++) count(&shared[0]);
  }
}

static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    {"fork_join", fork_join},
    {"nested", nested},
    {"barrier", barrier},
    {"loops", loops},
    {"single", single},
    {"sections", sections},
    {"critical", critical},
    {"locks", locks},
    {"ordered", ordered},
    {"doacross", doacross},
    {"reductions", reductions},
    {"atomics", atomics},
    {"copies", copies},
    {"tasks", tasks},
    {"taskgroups", taskgroups},
    {"dependences", dependences},
    {"detached", detached},
    {"race", race},
    {"race_of_tasks", race_of_tasks},
};

int main(int argc, char** argv) {
  for (int word = 1; word < argc; word++) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      if (strcmp(argv[word], cases[i].name) == 0) cases[i].run();
    }
  }
  puts("done");
  return failures != 0;
}
