// SPDX-License-Identifier: Apache-2.0
// How a node comes into the order: finds the nodes that it waits for in a table, and registers with
// them by the protocol of task/depend/order.h.
#pragma once

#include "task/depend/table.h"

namespace bobbin {

inline bool is_all_memory(const Dependence& dependence) {
  return dependence.address == 0 && dependence.kind == DependKind::Out;
}

inline bool names_all_memory(const DependList& depend) {
  for (size_t i = 0; i < depend.count; i++) {
    if (is_all_memory(depend.items[i])) return true;
  }
  return false;
}

// Used if there is no memory to note the nodes to wait for: they wait at once for one node, or for
// all that a table knows of. The table is that of the current task or of a task that has ended.
void wait_for_completion(Thread& thread, const DependNode& node);
void wait_for_all(Thread& thread, DependTable& table);

// A node in `home`, of a kind that is no task. It completes when the `count` nodes that next()
// gives have completed. nullptr: they have completed already,
// and the calling thread knows what follows.
template <class Next>
DependNode* make_bridge(Thread& thread, DependTable& home, DependNodeKind kind, GraphPort* port,
                        uint32_t count, Next&& next) {
  DependNode* bridge = home.take_node(count + 1, kind);
  if (bridge == nullptr) {
    for (uint32_t i = 0; i < count; i++) wait_for_completion(thread, *next());
    return nullptr;
  }
  bridge->port = port;
  bool completed = register_with(*bridge, count, [&](uint32_t i, DependNode*& predecessor) {
    predecessor = next();
    return &bridge->links()[i];
  });
  if (!completed) return bridge;
  bridge->successors.close();
  if (has_strands() && kind == DependNodeKind::Join) {
    pass_order(bridge, &bridge->successors);
    return bridge;
  }
  happens_after(bridge);
  home.nodes.retire(*bridge);
  return nullptr;
}

// The same for the predecessors that `finder` has found.
inline DependNode* bridge_found(Thread& thread, DependTable& finder, DependTable& home,
                                DependNodeKind kind, GraphPort* port) {
  if (finder.found_count == 0) return nullptr;
  DependNode** found = finder.found;
  return make_bridge(thread, home, kind, port, finder.found_count, [&] { return *found++; });
}

// Used if there is no memory for the order: the task runs here and now, when all tasks before it
// have completed, and is done before there are others. Defined by the code that executes tasks,
// bound when linking.
void execute_in_order(Thread& thread, Task& task);

// The task's table of its children's dependences, made if it has none; nullptr: out of memory.
DependTable* table_for_children(Task& task);

// One node's registration with its predecessors.
class Registration {
 public:
  Registration(Thread& thread, DependTable& table, DependNode& node)
      : thread_(thread), table_(table), node_(node) {
    node.mark = table.registration;  // a node is not its own predecessor
    node.uses = 1;                   // for this registration
  }

  // Enters the node's new task into the order, with these dependences.
  void enter(const DependList& depend);
  // Only looks for predecessors, for a waiter.
  void look(const DependList& depend);
  // Are all predecessors brief, and also the tasks that exclude it?
  bool follows_brief_ones() const;
  // True: nothing blocks the node.
  bool finish();
  // Another node will wait for what was found.
  void leave_to_another() { table_.drop(&node_); }

 private:
  void tell_predecessors() const;
  void enter_all_memory();
  void enter(const Dependence& dependence);
  void look(const Dependence& dependence);
  void open_generation(DependEntry& entry, DependKind kind);
  DependNode* make_join(DependLink* members);
  void add_member(DependEntry& entry);
  bool add_exclusion(DependEntry& entry);

  void precede(DependNode* node);
  void precede_all(DependEntry& entry);
  uint32_t make_links(uint32_t& count);

  Thread& thread_;
  DependTable& table_;
  DependNode& node_;
  uint32_t members_ = 0;  // links used for generations so far
  // The node joined a mutexinoutset generation whose youngest member was not brief, perhaps only
  // because that one joined longer ones. So a brief member has only brief ones before it there.
  bool joins_longer_ = false;
};

}  // namespace bobbin
