// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "insight/record/layout.h"
#include "insight/span/graph_writer.h"

namespace bobbin::insight {

// The end of a way in the task graph: a node that still grows, or one that is written.
//
// Invariant: a node is written before another one follows it. So what happens later on the same way
// is a node of its own, and a node's predecessors have lower numbers. Without a graph nothing is
// kept, which costs a test.
//
// All functions are called with the lock of the events (following.h).
class Strand {
 public:
  Strand() = default;
  // The copy goes on where the other one is.
  Strand(const Strand& other) : last_(other.end()) {}
  Strand& operator=(const Strand& other) {
    if (this == &other || !graph_writer.is_open()) [[likely]]
      return *this;
    finish();
    last_ = other.end();
    next_ = EdgeKind::Continuation;
    return *this;
  }
  ~Strand() { finish(); }

  void grow(SiteNumber site, uint64_t ticks) {
    if (!graph_writer.is_open()) [[likely]]
      return;
    if (ticks_ != 0 && site != site_) end();
    begin();
    site_ = site;
    ticks_ += ticks;
  }
  // What comes now also follows the end of the other one.
  void follow(const Strand& other, EdgeKind kind);
  // It begins a task, or a thread's part of a region, after the node where it is.
  void begin_task(EdgeKind kind);

 private:
  void begin();
  void add_edge(uint32_t from, EdgeKind kind);
  // Writes the node if it is not yet. Returns its number. 0: there is none.
  uint32_t end() const;
  // The same, for a way that nothing follows any more.
  void finish();

  mutable bool grows_ = false;
  mutable SiteNumber site_ = 0;
  EdgeKind next_ = EdgeKind::Continuation;  // of the edge to what comes next
  mutable uint32_t last_ = 0;               // the node that was written last; 0: none
  uint32_t task_ = 0;
  mutable uint32_t edge_count_ = 0;
  mutable uint32_t edge_room_ = 0;
  mutable uint64_t ticks_ = 0;
  mutable GraphEdge* edges_ = nullptr;
};

}  // namespace bobbin::insight
