// SPDX-License-Identifier: Apache-2.0
#include "task/depend/table.h"

#include <cstdlib>

#include "platform/memory.h"
#include "task/depend/exclusion.h"
#include "task/depend/graph_ports.h"

namespace bobbin {

DependTable::~DependTable() {
  clear();
  drop(all_memory);
  for (uint32_t i = 0; i < exclusion_count; i++) destroy(exclusions[i]);
  free(exclusions);
  free(found);
  if (ports != nullptr) destroy_ports(ports);
}

bool DependTable::begin_registration(size_t addresses) {
  begin_look();
  return entries.reserve(addresses,
                         [this](DependEntry& entry) { return discard_if_completed(entry); });
}

// The numbers have wrapped around: old marks must not be taken for new ones. Retired nodes can no
// longer be found.
void DependTable::forget_marks() {
  registration = 1;
  if (all_memory != nullptr) all_memory->mark = 0;
  entries.for_each([](DependEntry& entry) {
    if (entry.before != nullptr) entry.before->mark = 0;
    for (DependLink* link = entry.members; link != nullptr; link = link->next) link->node->mark = 0;
  });
}

bool DependTable::note(DependNode& predecessor) {
  if (found_count == found_capacity) [[unlikely]] {
    uint32_t capacity = found_capacity == 0 ? 16 : 2 * found_capacity;
    auto* larger = static_cast<DependNode**>(realloc(found, capacity * sizeof(DependNode*)));
    if (larger == nullptr) return false;
    found = larger;
    found_capacity = capacity;
  }
  found[found_count++] = &predecessor;
  return true;
}

DependEntry& DependTable::enter(uintptr_t address) {
  bool is_new;
  DependEntry& entry = entries.enter(address, is_new);
  if (is_new) {
    entry.set_kind(DependKind::Out);
    entry.room = 0;
    entry.before = all_memory;
    if (all_memory != nullptr) all_memory->uses++;
  }
  return entry;
}

void DependTable::drop_members(DependEntry& entry) {
  for (DependLink* link = entry.members; link != nullptr;) {
    DependNode* node = link->node;
    link = link->next;  // in the node's memory
    drop(node);
  }
  entry.members = nullptr;
}

void DependTable::drop_completed_members(DependEntry& entry) {
  uint32_t left = 0;
  for (DependLink** place = &entry.members; *place != nullptr;) {
    DependLink* link = *place;
    DependNode* node = link->node;
    if (node->dispensable()) {
      *place = link->next;
      drop(node);
    } else {
      place = &link->next;
      left++;
    }
  }
  // The next look is when the number may have doubled, so that each member is looked at about once.
  constexpr uint32_t kLeast = 16;
  constexpr uint32_t kMost = (1u << 24) - 1;
  entry.room = (left < kLeast ? kLeast : left > kMost ? kMost : left) & kMost;
}

void DependTable::drop_entry(DependEntry& entry) {
  drop_members(entry);
  drop(entry.before);
  entry.before = nullptr;
  if (entry.exclusion != 0) {
    Exclusion* exclusion = exclusions[entry.exclusion - 1];
    exclusion->next_free = free_exclusions;
    free_exclusions = exclusion;
    entry.exclusion = 0;
  }
}

// When all have completed, nobody uses the exclusion any more: see release_successors.
bool DependTable::discard_if_completed(DependEntry& entry) {
  if (entry.before != nullptr && !entry.before->dispensable()) return false;
  for (DependLink* link = entry.members; link != nullptr; link = link->next) {
    if (!link->node->dispensable()) return false;
  }
  drop_entry(entry);
  return true;
}

Predecessors DependTable::predecessors(const Dependence& dependence, Predecessors enough) {
  auto as_predecessor = [](const DependNode* node) {
    if (node == nullptr || node->dispensable()) return Predecessors::None;
    return node->brief ? Predecessors::Brief : Predecessors::Some;
  };
  DependEntry* entry = entries.find(dependence.address);
  if (entry == nullptr) return as_predecessor(all_memory);
  if (dependence.kind == entry->kind()) {
    if (is_shared(dependence.kind)) return as_predecessor(entry->before);
    // An Out is alone. Among members that exclude each other, the youngest stands for all:
    // Registration::joins_longer_.
    enough = Predecessors::Brief;
  }
  // There may be many members, and the next task looks at them again. So completed ones are
  // dropped.
  Predecessors most = Predecessors::None;
  for (DependLink** place = &entry->members; *place != nullptr && most < enough;) {
    DependLink* link = *place;
    DependNode* node = link->node;
    const Predecessors here = as_predecessor(node);
    if (here > most) most = here;
    if (here != Predecessors::None) {
      place = &link->next;
    } else {
      *place = link->next;
      drop(node);
    }
  }
  if (entry->members != nullptr || discard_if_completed(*entry)) return most;
  return as_predecessor(entry->before);
}

void DependTable::clear() {
  entries.for_each([this](DependEntry& entry) { drop_entry(entry); });
  entries.clear();
}

Exclusion* DependTable::exclusion_of(DependEntry& entry) {
  if (entry.exclusion != 0) return exclusions[entry.exclusion - 1];
  Exclusion* exclusion = free_exclusions;
  if (exclusion != nullptr) {
    free_exclusions = exclusion->next_free;
    exclusion->next_free = nullptr;
  } else {
    exclusion = make_exclusion();
    if (exclusion == nullptr) return nullptr;
  }
  entry.exclusion = exclusion->number;
  return exclusion;
}

Exclusion* DependTable::make_exclusion() {
  // The array is full at powers of two.
  if ((exclusion_count & (exclusion_count - 1)) == 0) {
    size_t capacity = exclusion_count == 0 ? 1 : 2 * size_t{exclusion_count};
    auto* larger = static_cast<Exclusion**>(realloc(exclusions, capacity * sizeof(Exclusion*)));
    if (larger == nullptr) return nullptr;
    exclusions = larger;
  }
  auto* exclusion = make<Exclusion>();
  if (exclusion == nullptr) return nullptr;
  exclusions[exclusion_count++] = exclusion;
  exclusion->number = exclusion_count;
  return exclusion;
}

}  // namespace bobbin
