// SPDX-License-Identifier: Apache-2.0
// The table of dependences that a task keeps for its children.
#pragma once

#include "platform/locks/spinlock.h"
#include "task/depend/map.h"
#include "task/depend/node.h"
#include "task/depend/pool.h"
#include "task/depend/predecessors.h"
#include "task/model/depend_list.h"

namespace bobbin {

struct GraphPorts;

// What a task knows about the dependences among its children. It belongs to the thread that
// executes the task, the only one that registers children. So it needs no locks, except for
// exclusions.
struct DependTable {
  DependMap entries;
  DependPool nodes;
  DependNode* all_memory = nullptr;  // last one that named omp_all_memory; before every new entry

  // Predecessors found by the registration under way.
  DependNode** found = nullptr;
  uint32_t found_count = 0;
  uint32_t found_capacity = 0;
  uint32_t registration = 0;  // its number, never 0; see DependNode::mark

  // All exclusions ever made, at their number minus one, and those that no entry has.
  Exclusion** exclusions = nullptr;
  uint32_t exclusion_count = 0;
  Exclusion* free_exclusions = nullptr;
  SpinLock exclusion_lock;

  // For a transparent task (transparent.h): its ports, and its position among its transparent
  // siblings. For any task: how many of its children are transparent.
  GraphPorts* ports = nullptr;
  uint64_t position = 0;
  uint64_t transparent_children = 0;

  DependTable() = default;
  DependTable(const DependTable&) = delete;
  DependTable& operator=(const DependTable&) = delete;
  ~DependTable();

  // Makes room for a registration of so many addresses and begins it. False: out of memory.
  bool begin_registration(size_t addresses);

  // Begins a registration that enters nothing.
  void begin_look() {
    found_count = 0;
    if (++registration == 0) [[unlikely]]
      forget_marks();
  }

  // The registration found a predecessor. False: there is no memory to note it.
  bool note(DependNode& predecessor);

  DependEntry& enter(uintptr_t address);

  // For the registration under way.
  DependNode* take_node(uint32_t links, DependNodeKind kind) {
    return nodes.take(links, kind, registration);
  }

  // One generation less names the node.
  void drop(DependNode* node) {
    if (node != nullptr && --node->uses == 0) nodes.retire(*node);
  }
  void drop_members(DependEntry& entry);
  // Drops the completed members of a generation that tasks join one after the other.
  void drop_completed_members(DependEntry& entry);
  // True: all nodes that the entry names have completed; then the entry is as good as new.
  bool discard_if_completed(DependEntry& entry);
  void make_room_for_member(DependEntry& entry) {
    if (entry.room-- == 0) [[unlikely]]
      drop_completed_members(entry);
  }
  // Which tasks that have not completed would a new task with this dependence follow?
  Predecessors predecessors(const Dependence& dependence, Predecessors enough);

  // Forgets all entries.
  void clear();

  // The entry's exclusion, made if it has none; nullptr: out of memory.
  Exclusion* exclusion_of(DependEntry& entry);

 private:
  void drop_entry(DependEntry& entry);
  void forget_marks();
  Exclusion* make_exclusion();
};

}  // namespace bobbin
