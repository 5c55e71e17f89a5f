// SPDX-License-Identifier: Apache-2.0
#include "task/depend_table.h"

#include <cstdlib>

#include "platform/memory.h"
#include "task/exclusion.h"

namespace bobbin {

DependTable::~DependTable() {
  clear();
  drop(all_memory);
  while (Exclusion* exclusion = free_exclusions) {
    free_exclusions = exclusion->next_free;
    destroy(exclusion);
  }
  free(found);
}

bool DependTable::begin_registration(size_t addresses) {
  found_count = 0;
  if (++registration == 0) [[unlikely]]
    forget_marks();
  return entries.reserve(addresses,
                         [this](DependEntry& entry) { return discard_if_completed(entry); });
}

// The numbers have gone round: old marks must not be taken for new ones. Nodes that are retired
// can no more be found.
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

void DependTable::drop_entry(DependEntry& entry) {
  drop_members(entry);
  drop(entry.before);
  entry.before = nullptr;
  if (Exclusion* exclusion = entry.exclusion()) {
    exclusion->next_free = free_exclusions;
    free_exclusions = exclusion;
    entry.set_exclusion(nullptr);
  }
}

// When all have completed, nobody uses the exclusion any more either: see release_successors.
bool DependTable::discard_if_completed(DependEntry& entry) {
  if (entry.before != nullptr && !entry.before->completed()) return false;
  for (DependLink* link = entry.members; link != nullptr; link = link->next) {
    if (!link->node->completed()) return false;
  }
  drop_entry(entry);
  return true;
}

void DependTable::clear() {
  entries.for_each([this](DependEntry& entry) { drop_entry(entry); });
  entries.clear();
}

Exclusion* DependTable::exclusion_of(DependEntry& entry) {
  Exclusion* exclusion = entry.exclusion();
  if (exclusion != nullptr) return exclusion;
  exclusion = free_exclusions;
  if (exclusion != nullptr) {
    free_exclusions = exclusion->next_free;
    exclusion->next_free = nullptr;
  } else {
    exclusion = make<Exclusion>();
    if (exclusion == nullptr) return nullptr;
  }
  entry.set_exclusion(exclusion);
  return exclusion;
}

}  // namespace bobbin
