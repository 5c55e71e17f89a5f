// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/depend/node.h"

namespace bobbin {

// The memory of one table's nodes, for the owner only. Nodes come from slabs that live as long as
// the table. A node that no generation names any more is retired, perhaps long before its task
// completes, and waits in a queue to be used again. So completion costs nothing here, and tasks on
// other threads never hand memory back. The queue is roughly in the order of completion. Now and
// then a late node at its head is moved to its end, so that those behind it are not forgotten.
class DependPool {
 public:
  DependPool() = default;
  DependPool(const DependPool&) = delete;
  DependPool& operator=(const DependPool&) = delete;
  ~DependPool();

  // Returns a node with room for at least `links`; uses, mark and annex are cleared. It never
  // returns a node with this mark: the current registration has found that node to be a
  // predecessor. nullptr: out of memory, or more links than a node may have.
  DependNode* take(uint32_t links, DependNodeKind kind, uint32_t mark);

  // Called when uses has become 0.
  void retire(DependNode& node);

  // The annex of a node, made if it has none; the first link must be unused.
  DependNode::Annex& annex_of(DependNode& node);

 private:
  friend struct DebuggerView;

  static constexpr unsigned kClasses = 12;

  struct Queue {
    DependNode* oldest = nullptr;
    DependNode* youngest = nullptr;
    unsigned refusals = 0;
  };
  struct Slab {
    Slab* next;
  };

  static unsigned class_of(uint32_t links);
  static uint32_t links_of(unsigned size_class);
  DependNode* reuse(Queue& queue, uint32_t links, uint32_t mark);
  DependNode* carve(uint32_t links);

  Queue retired_[kClasses];
  char* free_ = nullptr;
  char* end_ = nullptr;
  Slab* slabs_ = nullptr;
  size_t next_slab_ = 1024;
  bool annexes_ = false;
};

}  // namespace bobbin
