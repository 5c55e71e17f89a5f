// SPDX-License-Identifier: Apache-2.0
// Workers execute a task graph on a machine, event by event.
//
// A worker goes on with the task that it executes. A task that this one makes is executed in place
// if enough tasks lie in the worker's deque, otherwise it goes there. When the worker's task has
// ended or waits, the worker goes on with a task that has become ready to go on with it, then with
// one that it has interrupted, then with the newest task of its own deque, then with the oldest one
// of another worker's. Without work it is idle until it is told of some. A task goes on where it
// was. Stacks are not modelled: a task that can go on need not wait for one above it.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/graph.h"
#include "simulator/machine.h"

namespace bobbin::simulator {

enum class Order : std::uint8_t { Nearest, Number };  // by which victims and helpers are chosen
enum class Theft : std::uint8_t { One, Half };
enum class Join : std::uint8_t { Counter, Tree };  // what threads tell that they have ended

struct Rules {
  Order order = Order::Nearest;
  Theft theft = Theft::One;
  Join join = Join::Counter;
  unsigned defer_limit = 4;  // a deque with so many tasks gets no more
};

struct Outcome {
  double time = 0;      // ns, until the last node ends
  double work = 0;      // ns of all workers, as the next three
  double overhead = 0;  // making, taking and stealing tasks
  double idle = 0;
  std::vector<std::uint64_t> thefts;  // by level
  std::uint64_t in_place = 0;         // tasks
  std::uint64_t deferred = 0;
  std::uint64_t longest_deque = 0;
};

// Throws std::runtime_error if the graph does not end: it has been cut off.
Outcome simulate(const Graph& graph, const Machine& machine, const Costs& costs,
                 const Rules& rules);

}  // namespace bobbin::simulator
