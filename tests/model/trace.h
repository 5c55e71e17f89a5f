// SPDX-License-Identifier: Apache-2.0
// The events of an execution, for the report of a failure.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "model/memory.h"

namespace bobbin::model {

enum class Op {
  Create,
  Load,
  Store,
  Update,
  CasFailed,
  Fence,
  Spin,
  Choose,
  Wait,
  Wake,
  Woken,
  TimedOut,
  PlainRead,
  PlainWrite,
  Spawn,
  Join,
  End,
  Allocate,
  Free,
};

struct Event {
  int thread;
  Op op;
  std::memory_order order;
  std::uint32_t location;
  std::uint64_t value;
  std::uint32_t stale;  // for loads: the number of newer stores
  Where where;
};

inline constexpr std::uint32_t kNoLocation = ~std::uint32_t{0};

std::string print_trace(const std::vector<Event>& events, Memory& memory);

}  // namespace bobbin::model
