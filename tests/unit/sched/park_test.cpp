// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/park.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <thread>

namespace bobbin {
namespace {

// Each signal is sent while much of the sleep is left, and all of them together last much longer
// than the sleep.
TEST(Park, SignalsDoNotProlongIt) {
  constexpr uint64_t kSleepNs = 100'000'000;
  constexpr int kMostSignals = 5000;
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);

  Parking parking;
  Atomic<bool> over{false};
  std::thread sleeper([&] {
    EXPECT_FALSE(parking.park(kSleepNs));
    over.store(true, release);
  });
  int sent = 0;
  for (; sent < kMostSignals && !over.load(acquire); sent++) {
    pthread_kill(sleeper.native_handle(), SIGUSR1);
    const timespec gap{0, 1'000'000};
    nanosleep(&gap, nullptr);
  }
  EXPECT_LT(sent, kMostSignals);
  sleeper.join();
}

}  // namespace
}  // namespace bobbin
