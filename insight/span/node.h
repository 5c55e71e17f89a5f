// SPDX-License-Identifier: Apache-2.0
// What the tool knows of the program's tasks, regions and taskgroups while they can matter. They
// count their users, and go back to their pools with the last one.
#pragma once

#include <cstdint>

#include "insight/span/path.h"

namespace bobbin::insight {

struct Region {
  uint32_t users = 1;
  SiteNumber site = 0;
  uint64_t work = 0;
  Length begin;
  // How far the threads and tasks have come that a barrier waits for. Barriers take turns between
  // the two: a thread may have come to the next barrier before another one has left this one.
  Length come[2];
};
inline Pool<Region> regions;

struct Group {
  uint32_t users = 1;
  Group* outer = nullptr;
  Length come;  // of the tasks in it that have ended
};
inline Pool<Group> groups;

// The chunks of a loop, or its sections, as far as this thread executes them. They need not wait
// for each other.
struct Chunks {
  SiteNumber site = 0;
  bool any = false;
  Length begin;
  Length longest;
};
inline Pool<Chunks> chunk_pool;

class DependTable;
struct Node;

// Nodes that it uses.
class NodeList {
 public:
  void add(Node& node);
  void clear();
  template <class Visit>
  void each(Visit&& visit) const {
    for (uint32_t i = 0; i < count_; i++) visit(*members_[i]);
  }
  bool ends_with(const Node& node) const { return count_ != 0 && members_[count_ - 1] == &node; }

 private:
  Node** members_ = nullptr;
  uint32_t count_ = 0;
  uint32_t room_ = 0;
};

struct Node {
  uint32_t users = 1;
  SiteNumber site = 0;
  SiteNumber work_site = 0;  // of a worksharing construct in it, or `site`
  bool begun = false;
  bool undeferred = false;  // its maker waits for it
  uint32_t barriers = 0;    // that the thread has passed in the region before it made this task
  uint32_t waits = 0;       // that it is in; while there is one it does not work
  Node* maker = nullptr;
  Region* region = nullptr;
  Group* group = nullptr;
  Chunks* chunks = nullptr;
  DependTable* table = nullptr;  // the order of its child tasks, until its end
  NodeList predecessors;         // which end before it begins
  Length at;                     // the longest way to where it is; to its end when it has ended
  Length children;               // to the latest end of a child
};
inline Pool<Node> nodes;

Node* make_node(Node* maker, Region* region, SiteNumber site);
inline Node* use(Node* node) {
  node->users++;
  return node;
}
void drop(Node* node);
void drop(Region* region);
void drop(Group* group);

}  // namespace bobbin::insight
