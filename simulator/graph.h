// SPDX-License-Identifier: Apache-2.0
// A recorded task graph in memory. docs/notes/graph-format.md specifies the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "insight/span/graph_layout.h"

namespace bobbin::simulator {

using insight::EdgeKind;

struct Successor {
  std::uint32_t node;
  EdgeKind kind;
};

// Nodes are numbered from 0, in a topological order.
class Graph {
 public:
  // Throws std::runtime_error: the file cannot be read, or is damaged.
  explicit Graph(const std::string& path);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(work_.size()); }
  std::uint32_t tasks() const { return tasks_; }  // one more than the highest number of a task
  double work(std::uint32_t node) const { return work_[node]; }         // ns
  std::uint32_t task(std::uint32_t node) const { return task_[node]; }  // 0: it only joins
  bool is_part(std::uint32_t task) const { return is_part_[task]; }     // a thread's, of a region
  std::uint32_t edges_to(std::uint32_t node) const { return edges_to_[node]; }
  std::span<const Successor> after(std::uint32_t node) const {
    return {successors_.data() + first_[node], successors_.data() + first_[node + 1]};
  }

 private:
  std::vector<float> work_;
  std::vector<std::uint32_t> task_, edges_to_;
  std::vector<std::uint64_t> first_;  // by node, of its successors
  std::vector<Successor> successors_;
  std::vector<bool> is_part_;  // by task
  std::uint32_t tasks_ = 0;
};

}  // namespace bobbin::simulator
