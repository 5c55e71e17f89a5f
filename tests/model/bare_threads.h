// SPDX-License-Identifier: Apache-2.0
// OpenMP threads for tests of constructs that only suspend and resume. Each model thread is one, on
// the kernel provider's protocol, without pool, teams or tasks. This file is to be included once,
// with the construct's own source.
#pragma once

#include <cstdlib>

#include "construct/wait_address.cpp"
#include "model/explore.h"
#include "platform/locks/futex.h"
#include "sched/workers/pool.h"
#include "team/model/team.h"

namespace bobbin {

thread_local Thread* tls_thread = nullptr;
constinit Provider provider{};  // a kernel thread for each
GlobalIcvs detail::global_icvs_storage;

bool has_other_work(Worker&) { return false; }
bool has_any_work(Worker&) { return false; }
bool may_spin(const Worker&, uint64_t) { return false; }
bool yield(Fiber&) { return false; }
void add_fork_lock(ForkLock&) {}
void miss_others() { std::abort(); }

void resume(Fiber& fiber) {
  constexpr auto kParked = static_cast<uint32_t>(FiberState::Parked);
  constexpr auto kNotified = static_cast<uint32_t>(FiberState::Notified);
  if (fiber.state.exchange(kNotified, acq_rel) == kParked) futex_wake(fiber.state, 1);
}

void suspend(Fiber& fiber) {
  constexpr auto kParked = static_cast<uint32_t>(FiberState::Parked);
  uint32_t expected = static_cast<uint32_t>(FiberState::Running);
  if (fiber.state.compare_exchange_strong(expected, kParked, acq_rel, acquire)) {
    while (fiber.state.load(acquire) == kParked) futex_wait(fiber.state, kParked);
  }
  fiber.state.exchange(static_cast<uint32_t>(FiberState::Running), acquire);
}

namespace model {

inline constexpr int kMostThreads = 4;
inline Thread* bare_threads[kMostThreads];

// To be called at the beginning of a test's body.
inline void make_threads(int count) {
  spin_limits.set(0, 1);  // short spins are explored both with and without success
  for (WaitBucket& bucket : wait_buckets) bucket.first = bucket.last = nullptr;
  Team* bare_team = make<Team>();
  for (int i = 0; i < count; i++) {
    bare_threads[i] = make<Thread>();
    bare_threads[i]->worker = make<Worker>();
    bare_threads[i]->member = make<Member>();
    bare_threads[i]->member->team = bare_team;
  }
}

}  // namespace model

// Thread 0 is the test's body.
Thread& attach_root() { return *model::bare_threads[model::self() - 1]; }

}  // namespace bobbin
