// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace bobbin::simulator {

inline constexpr std::uint32_t kNoNode = UINT32_MAX;

struct SimulatedWorker {
  std::uint32_t node = kNoNode;  // what it executes, until its event
  bool idle = false;
  unsigned next_victim = 0;
  std::deque<std::uint32_t> deque;         // nodes that begin a task; the newest is at the back
  std::vector<std::uint32_t> interrupted;  // by tasks in place; the innermost is at the back
  std::deque<std::uint32_t> returned;      // tasks that were here and can go on
};

// When which worker has an event. A worker has at most one.
struct Event {
  double time;
  unsigned worker;

  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : worker > other.worker;
  }
};

}  // namespace bobbin::simulator
