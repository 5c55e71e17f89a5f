// SPDX-License-Identifier: Apache-2.0
#include "polling_thread.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace bobbin::mpi {
namespace {

// It takes a processor for some microseconds at each look, which ranks on the same machine may
// need. So it looks less often while nothing comes.
constexpr long kShortestNs = 20'000;
constexpr long kLongestNs = 200'000;

constinit std::atomic<bool> running{false};
constinit std::atomic<bool> stopping{false};
// 1 while it sleeps until something is waited for. It stores 1 and then looks at `outstanding`; a
// thread that waits counts itself there and then looks here, both with seq_cst. So one of them sees
// the other.
constinit std::atomic<int> asleep{0};
pthread_t polling_thread;

void sleep_until_needed() {
  asleep.store(1, std::memory_order_seq_cst);
  if (outstanding.load(std::memory_order_seq_cst) == 0 &&
      !stopping.load(std::memory_order_seq_cst)) {
    syscall(SYS_futex, &asleep, FUTEX_WAIT_PRIVATE, 1, nullptr, nullptr, 0);
  }
  asleep.store(0, std::memory_order_relaxed);
}

void* look_again_and_again(void* /*unused*/) {
  prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
  long pace = kShortestNs;
  unsigned looks_seen = 0;
  while (!stopping.load(std::memory_order_relaxed)) {
    if (outstanding.load(std::memory_order_relaxed) == 0) {
      sleep_until_needed();
      pace = kShortestNs;
      continue;
    }
    const timespec rest{0, pace};
    // Not nanosleep(): that is a scheduling point of the runtime.
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &rest, nullptr);
    const unsigned before = outstanding.load(std::memory_order_relaxed);
    const bool others_look = looks.load(std::memory_order_relaxed) != looks_seen;
    if (!others_look) poll();
    looks_seen = looks.load(std::memory_order_relaxed);
    const bool progress = !others_look && outstanding.load(std::memory_order_relaxed) < before;
    if (progress) {
      pace = kShortestNs;
    } else if (pace < kLongestNs) {
      pace *= 2;
    }
  }
  return nullptr;
}

}  // namespace

void start_polling_thread() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  stopping.store(false);
  running.store(pthread_create(&polling_thread, nullptr, look_again_and_again, nullptr) == 0);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void look_for(Pending& pending) {
  if (!add(pending)) return;
  if (asleep.load(std::memory_order_seq_cst) == 0) return;
  asleep.store(0, std::memory_order_seq_cst);
  syscall(SYS_futex, &asleep, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void forget_polling_thread() {
  running.store(false);
  asleep.store(0);
}

void stop_polling_thread() {
  if (!running.exchange(false)) return;
  stopping.store(true, std::memory_order_seq_cst);
  asleep.store(0, std::memory_order_seq_cst);
  syscall(SYS_futex, &asleep, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  pthread_join(polling_thread, nullptr);
}

}  // namespace bobbin::mpi
