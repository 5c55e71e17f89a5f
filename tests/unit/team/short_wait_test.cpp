// SPDX-License-Identifier: Apache-2.0
// A wait for others that tell nobody leaves the processor to them.
#include "team/members/short_wait.h"

#include <gtest/gtest.h>
#include <time.h>

#include "../construct/fake_team.h"

namespace bobbin {
namespace {

uint64_t read_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

TEST(ShortWait, DoesNotSpinForEver) {
  static auto* worker = new Worker;  // it lives as long as the process
  test::FakeTeam team(1);
  Thread& thread = team.thread(0);
  thread.worker = worker;
  ShortWait wait(thread);
  const uint64_t begin = read_ns(CLOCK_MONOTONIC);
  const uint64_t used = read_ns(CLOCK_THREAD_CPUTIME_ID);
  while (read_ns(CLOCK_MONOTONIC) - begin < 200'000'000) wait.pause();
  EXPECT_LT(read_ns(CLOCK_THREAD_CPUTIME_ID) - used, 100'000'000u);
}

}  // namespace
}  // namespace bobbin
