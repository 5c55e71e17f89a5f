// SPDX-License-Identifier: Apache-2.0
#include "insight/report/spans/hand_over.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "platform/atomic.h"

namespace bobbin::insight {
namespace {

constexpr int kTimes = 1000;

// On one processor the other thread must be let in.
void wait_for(const Atomic<int>& word, int value) {
  for (int looked = 0; word.load(acquire) != value; looked++) {
    constexpr int kPatience = 1000;
    if (looked >= kPatience) std::this_thread::yield();
  }
}

}  // namespace

double measured_hand_over() {
  Atomic<int> there{0};
  Atomic<int> back{0};
  std::thread other([&] {
    for (int i = 1; i <= kTimes; i++) {
      wait_for(there, i);
      back.store(i, release);
    }
  });
  std::array<double, kTimes> taken{};
  for (int i = 1; i <= kTimes; i++) {
    const auto begin = std::chrono::steady_clock::now();
    there.store(i, release);
    wait_for(back, i);
    taken[i - 1] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  other.join();
  std::nth_element(taken.begin(), taken.begin() + kTimes / 2, taken.end());
  return taken[kTimes / 2] / 2;  // there and back
}

}  // namespace bobbin::insight
