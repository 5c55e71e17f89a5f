// SPDX-License-Identifier: Apache-2.0
// Threads of a team wait for each other by spinning, with no OpenMP construct in the wait. There
// are more of them than processors.
#include <stdatomic.h>

#include "../common/abuse.h"

static void need_full_team(int threads) {
  int team = 0;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
#pragma omp single
  team = omp_get_num_threads();
  CHECK(team == threads);
}

enum wait { kSpin, kYield, kPause };

static inline void relax(enum wait wait) {
  if (wait == kYield) sched_yield();
#if defined(__x86_64__)
  if (wait == kPause) __builtin_ia32_pause();
#endif
}

static void token(int threads, int hops, enum wait wait) {
  static atomic_int turn;
  turn = 0;
  need_full_team(threads);
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    for (;;) {
      int now;
      while ((now = turn) < hops && now % threads != me) relax(wait);
      if (now >= hops) break;
      turn = now + 1;
    }
  }
  CHECK(turn == hops);
}

static void token_4(void) { token(4, 100, kSpin); }
static void token_8(void) { token(8, 80, kPause); }
static void token_33(void) { token(33, 66, kSpin); }
static void yield_4(void) { token(4, 4000, kYield); }
static void yield_33(void) { token(33, 3300, kYield); }

// A barrier of the program's own, as in many hand-written solvers.
static void own_barrier(enum wait wait, int threads, int turns) {
  static atomic_int arrived, generation;
  int sum = 0;
  need_full_team(threads);
  arrived = generation = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  for (int i = 0; i < turns; i++) {
    const int mine = generation;
    if (atomic_fetch_add(&arrived, 1) == threads - 1) {
      arrived = 0;
      generation = mine + 1;
    } else {
      while (generation == mine) relax(wait);
    }
    sum++;
  }
  CHECK(sum == threads * turns);
}

static void own_barrier_spin(void) { own_barrier(kSpin, 4, 30); }
static void own_barrier_yield(void) { own_barrier(kYield, 16, 200); }

// Panels are passed from thread to thread under sched_yield, as in OpenBLAS's level-3 routines:
// every thread packs a panel for each other thread and waits for theirs.
static void panels(void) {
  enum { kThreads = 8, kRounds = 100 };
  static atomic_int ready[kThreads][kThreads];
  int wrong = 0;
  need_full_team(kThreads);
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
    for (int round = 1; round <= kRounds; round++) {
      for (int to = 0; to < kThreads; to++) {
        while (ready[me][to] != 0) sched_yield();
        ready[me][to] = round;
      }
      for (int from = 0; from < kThreads; from++) {
        int got;
        while ((got = ready[from][me]) == 0) sched_yield();
        wrong += got != round;
        ready[from][me] = 0;
      }
    }
  }
  CHECK(wrong == 0);
}

// A test-and-set lock whose holder may not be running.
static void spin_lock(void) {
  enum { kThreads = 16, kTurns = 200 };
  static atomic_flag lock = ATOMIC_FLAG_INIT;
  static pthread_spinlock_t posix;
  int count = 0, posix_count = 0;
  need_full_team(kThreads);
  pthread_spin_init(&posix, 0);
#pragma omp parallel num_threads(kThreads)
  for (int i = 0; i < kTurns; i++) {
    while (atomic_flag_test_and_set(&lock)) sched_yield();
    count++;
    if (i % 50 == 0) sched_yield();
    atomic_flag_clear(&lock);
    pthread_spin_lock(&posix);
    posix_count++;
    pthread_spin_unlock(&posix);
  }
  CHECK(count == kThreads * kTurns && posix_count == kThreads * kTurns);
}

// `flush` in the wait: the textbook's producer and consumer.
static void flush_flag(void) {
  int data = 0, flag = 0;
  need_full_team(2);
  for (int turn = 1; turn <= 200; turn++) {
#pragma omp parallel num_threads(2)
    {
      // The encountering thread waits, so the other thread must be started without it.
      if (omp_get_thread_num() == 1) {
        data = turn;
#pragma omp flush
#pragma omp atomic write
        flag = turn;
      } else {
        int seen = 0;
        while (seen != turn) {
#pragma omp atomic read
          seen = flag;
        }
#pragma omp flush
        CHECK(data == turn);
      }
    }
  }
}

// Nested teams that spin at the same time.
static void nested_tokens(void) {
  omp_set_max_active_levels(2);
  static atomic_int turns[3];
  int hops = 40;
#pragma omp parallel num_threads(3)
  {
    atomic_int* const turn = &turns[omp_get_thread_num()];
#pragma omp parallel num_threads(3)
    {
      const int me = omp_get_thread_num(), team = omp_get_num_threads();
      for (;;) {
        int now;
        while ((now = *turn) < hops && now % team != me) {
        }
        if (now >= hops) break;
        *turn = now + 1;
      }
    }
    CHECK(*turn == hops);
  }
}

// The first thread waits for a lock, so its kernel thread begins another thread of the team. That
// thread spins until the first thread resumes, which may happen soon. But the kernel thread of the
// previous owner of the lock has nothing left to do.
static void behind_spinner(void) {
  static atomic_int locked, spinning, through;
  omp_lock_t lock;
  omp_init_lock(&lock);
  need_full_team(3);
  for (int turn = 1; turn <= 10; turn++) {
    atomic_int next = 1;
#pragma omp parallel num_threads(3)
    {
      const int me = omp_get_thread_num();
      const int role = me == 0 ? 0 : atomic_fetch_add(&next, 1);
      if (role == 0) {
        while (locked < turn) sched_yield();
        omp_set_lock(&lock);
        through = turn;
        omp_unset_lock(&lock);
      } else if (role == 1) {
        omp_set_lock(&lock);
        locked = turn;
        while (spinning < turn) {
        }
        omp_unset_lock(&lock);
      } else {
        spinning = turn;
        while (through < turn) {
        }
      }
    }
  }
  omp_destroy_lock(&lock);
}

// A region within a target's initial region is not the root's outermost region. The monitor must
// watch the rest of the outermost region as before. The wait is so long that the monitor would
// otherwise have given up.
static void after_target_child(void) {
  static atomic_int freed;
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
      omp_set_lock(&lock);
      freed = 1;
      omp_unset_lock(&lock);
    } else {
      for (int i = 0; i < 100; i++) sched_yield();
#pragma omp target
#pragma omp parallel num_threads(2)
      {
      }
      for (double end = now_s() + 2.6; now_s() < end;) {
      }
      omp_unset_lock(&lock);
      while (!freed) {
      }
    }
  }
  omp_destroy_lock(&lock);
}

static void after_target(void) {
  char* argv[] = {(char*)"after-target-child", NULL};
  const char* env[] = {"BOBBIN_WORKERS=1", NULL};
  struct outcome out;
  run_self(argv, env, NULL, &out);
  CHECK(out.status == 0);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"token-4", token_4},
      {"token-8", token_8},
      {"token-33", token_33},
      {"yield-4", yield_4},
      {"yield-33", yield_33},
      {"own-barrier-spin", own_barrier_spin},
      {"own-barrier-yield", own_barrier_yield},
      {"panels", panels},
      {"spin-lock", spin_lock},
      {"flush-flag", flush_flag},
      {"nested-tokens", nested_tokens},
      {"behind-spinner", behind_spinner},
      {"after-target", after_target},
      {"after-target-child", after_target_child},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
