// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "insight/span/graph_layout.h"

namespace bobbin::insight {

// Writes the nodes of the graph in their order. All functions are called with the lock of the
// events (following.h).
class GraphWriter {
 public:
  // `recording`: the path of the process's recording. False: it cannot, which has been said.
  bool open(const char* recording);
  bool is_open() const { return nodes_.is_open; }
  // Returns the node's number.
  uint32_t write(const GraphNode& node, const GraphEdge* edges);
  // Writes the rest.
  void close();
  // In the child of a fork: the graph is its parent's.
  void forget();
  // What errno tells made it impossible to go on, which is said.
  void give_up();

 private:
  static constexpr size_t kBuffer = size_t{1} << 16;
  struct Stream {
    bool is_open = false;
    int file = 0;
    size_t used = 0;
    char buffer[kBuffer] = {};

    bool open(const char* recording, const char* suffix);
    bool add(const void* from, size_t bytes);
    bool flush();
    void close();
  };
  Stream nodes_;
  Stream edges_;
  uint32_t written_ = 0;
};
inline constinit GraphWriter graph_writer;

}  // namespace bobbin::insight
