// SPDX-License-Identifier: Apache-2.0
// The machine to be simulated: processors in a tree, and what happens between them costs.
#pragma once

#include <string>
#include <vector>

#include "sched/processors/distance.h"

namespace bobbin::simulator {

// Nanoseconds. A list has one number for each level of the machine, the nearest first; further
// levels cost as much as the last one given.
struct Costs {
  double in_place = 0;           // a task that its maker executes at once
  double defer = 0;              // a task that goes into the deque
  double begin = 0;              // one taken from the own deque
  double probe = 0;              // one look at another worker's deque
  double fork = 0;               // a thread's part of a region, beside what wakes its worker
  double recording = 0;          // no cost: what recording has added to the work of each node
  std::vector<double> steal;     // a theft
  std::vector<double> wake;      // until an idle worker knows of work
  std::vector<double> transfer;  // one update of a counter that others have updated before

  static double at(const std::vector<double>& costs, unsigned level) {
    return costs.empty() ? 0 : costs[level < costs.size() ? level : costs.size() - 1];
  }
};

class Machine {
 public:
  // The first processors of what hwloc makes of `description`: the name of an XML file of its own
  // (it has a `.xml`), or a synthetic description such as "pack:2 l3:8 core:8 pu:1". Throws
  // std::runtime_error: hwloc is missing, or does not know so many processors.
  Machine(const std::string& description, unsigned processors);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  unsigned processors() const { return processors_; }
  const Distance& distance() const { return distance_; }
  // Worker k runs on the k-th processor of the tree, so that a few workers are close together.
  int processor(unsigned worker) const { return numbers_[worker]; }
  unsigned levels() const { return distance_.levels(); }
  unsigned between(unsigned a, unsigned b) const {
    return distance_.between(processor(a), processor(b));
  }

 private:
  unsigned processors_;
  std::vector<int> numbers_;
  Distance distance_;
};

}  // namespace bobbin::simulator
