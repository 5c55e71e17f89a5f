// SPDX-License-Identifier: Apache-2.0
#include "task/depend/registration.h"

#include <cstdlib>

#include "platform/memory.h"
#include "task/depend/exclusion.h"
#include "task/model/extras.h"
#include "task/model/tool_events.h"
#include "team/members/short_wait.h"
#include "team/model/task_hooks.h"

// Each address has a sequence of generations (map.h). A task joins the current one if it is of the
// same set kind, and then waits for what came before that generation. Otherwise the task opens the
// next generation, and waits for all members of the current one.
namespace bobbin {
namespace {

constexpr uint32_t kFirstLook = 16;  // see DependEntry::room

}  // namespace

void wait_for_completion(Thread& thread, const DependNode& node) {
  ShortWait wait(thread);
  while (!node.completed()) {
    if (!run_a_task(thread)) wait.pause();
  }
  happens_after(&node.successors);
}

void wait_for_all(Thread& thread, DependTable& table) {
  auto wait = [&thread](const DependNode* node) {
    if (node != nullptr) wait_for_completion(thread, *node);
  };
  wait(table.all_memory);
  table.entries.for_each([&](const DependEntry& entry) {
    wait(entry.before);
    for (DependLink* link = entry.members; link != nullptr; link = link->next) wait(link->node);
  });
}

void Registration::precede(DependNode* node) {
  if (node == nullptr || node->mark == table_.registration || node->dispensable()) return;
  if (!table_.note(*node)) {
    wait_for_completion(thread_, *node);
    return;
  }
  node->mark = table_.registration;
}

void Registration::precede_all(DependEntry& entry) {
  if (entry.members == nullptr) precede(entry.before);
  for (DependLink* link = entry.members; link != nullptr; link = link->next) precede(link->node);
}

void Registration::enter(const DependList& depend) {
  if (names_all_memory(depend)) return enter_all_memory();
  for (size_t i = 0; i < depend.count; i++) enter(depend.items[i]);
}

// The task follows everything before it and precedes everything after it, so the entries add
// nothing.
void Registration::enter_all_memory() {
  table_.entries.for_each([this](DependEntry& entry) { precede_all(entry); });
  precede(table_.all_memory);
  table_.clear();
  table_.drop(table_.all_memory);
  table_.all_memory = &node_;
  node_.uses++;
}

void Registration::enter(const Dependence& dependence) {
  DependEntry& entry = table_.enter(dependence.address);
  DependKind kind = dependence.kind;
  if (kind == DependKind::MutexInoutset && !add_exclusion(entry)) kind = DependKind::Out;
  if (kind == DependKind::Out || kind != entry.kind()) {
    open_generation(entry, kind);
  } else if (entry.members == nullptr || entry.members->node != &node_) {
    precede(entry.before);
    table_.make_room_for_member(entry);
    if (kind == DependKind::MutexInoutset && entry.members != nullptr) {
      joins_longer_ |= !entry.members->node->brief;
    }
    add_member(entry);
  }
}

// A task may name several kinds for one address, in any order. This makes it wait for all others
// that any of the kinds makes it wait for, and puts it into up to as many generations in a row.
void Registration::open_generation(DependEntry& entry, DependKind kind) {
  DependLink* members = entry.members;
  DependNode* before = nullptr;
  if (kind == DependKind::Out || members == nullptr || members->next == nullptr) {
    precede_all(entry);
    // Nobody joins an Out, so it needs no `before`.
    if (kind != DependKind::Out) before = members != nullptr ? members->node : entry.before;
  } else if (members->node == &node_) {
    precede_all(entry);
    before = &node_;
  } else {
    // Otherwise each task that joins would have to wait for each of these.
    before = make_join(members);
    precede(before);
  }
  if (before != nullptr) before->uses++;
  table_.drop(entry.before);
  table_.drop_members(entry);
  entry.before = before;
  entry.set_kind(kind);
  entry.room = kFirstLook;
  add_member(entry);
}

// nullptr: there is nothing left to wait for.
DependNode* Registration::make_join(DependLink* members) {
  uint32_t count = 0;
  for (DependLink* link = members; link != nullptr; link = link->next) count++;
  DependLink* link = members;
  return make_bridge(thread_, table_, DependNodeKind::Join, nullptr, count, [&] {
    DependNode* node = link->node;
    link = link->next;
    return node;
  });
}

void Registration::add_member(DependEntry& entry) {
  DependLink& link = node_.links()[node_.capacity - ++members_];
  link.node = &node_;
  link.next = entry.members;
  entry.members = &link;
  node_.uses++;
}

bool Registration::add_exclusion(DependEntry& entry) {
  ExclusionRequest* request = node_.annex().exclusion;
  Exclusion* exclusion = request != nullptr ? table_.exclusion_of(entry) : nullptr;
  if (exclusion == nullptr) return false;
  request->wanted()[request->count++] = exclusion;
  return true;
}

void Registration::look(const DependList& depend) {
  for (size_t i = 0; i < depend.count; i++) look(depend.items[i]);
}

// For a task that waits in place, the simplest mutual exclusion is to wait for all members.
void Registration::look(const Dependence& dependence) {
  if (is_all_memory(dependence)) {
    table_.entries.for_each([this](DependEntry& entry) { precede_all(entry); });
    precede(table_.all_memory);
    return;
  }
  DependEntry* entry = table_.entries.find(dependence.address);
  DependKind kind = dependence.kind;
  if (entry == nullptr) {
    precede(table_.all_memory);
  } else if (is_shared(kind) && kind == entry->kind()) {
    precede(entry->before);
  } else if (!table_.discard_if_completed(*entry)) {
    precede_all(*entry);
  }
}

// Provides links for `count` predecessors. Returns how many of them lie in the node, after the
// annex. Makes `count` smaller if there is no memory for more.
uint32_t Registration::make_links(uint32_t& count) {
  uint32_t inside = node_.capacity - (members_ != 0 ? members_ : 1) - node_.has_annex;
  if (count <= inside) return count;
  if (!node_.has_annex) inside--;
  DependNode::Annex& annex = table_.nodes.annex_of(node_);
  annex.links = static_cast<DependLink*>(malloc((count - inside) * sizeof(DependLink)));
  if (annex.links == nullptr) count = inside;
  return inside;
}

bool Registration::follows_brief_ones() const {
  if (joins_longer_) return false;
  for (uint32_t i = 0; i < table_.found_count; i++) {
    if (!table_.found[i]->brief) return false;
  }
  return true;
}

// Nodes that are not tasks are passed by.
void Registration::tell_predecessors() const {
  if (node_.kind() != DependNodeKind::Task) return;
  const WatchedCompletion watched;
  for (uint32_t i = 0; i < table_.found_count; i++) {
    const DependNode& found = *table_.found[i];
    if (found.kind() == DependNodeKind::Task && !found.completed()) {
      tell_task_dependence(*found.task, *node_.task);
    }
  }
}

bool Registration::finish() {
  if (tool::watched) [[unlikely]]
    tell_predecessors();
  uint32_t count = table_.found_count;
  uint32_t inside = make_links(count);
  while (table_.found_count > count) {
    wait_for_completion(thread_, *table_.found[--table_.found_count]);
  }
  DependLink* links = node_.links() + node_.has_annex;
  bool ready = register_with(node_, count, [&](uint32_t i, DependNode*& predecessor) {
    predecessor = table_.found[i];
    return i < inside ? &links[i] : &node_.annex().links[i - inside];
  });
  table_.drop(&node_);
  return ready;
}

DependTable* table_for_children(Task& task) {
  TaskExtras* extras = extras_of(task);
  if (extras == nullptr) return nullptr;
  if (extras->table == nullptr) extras->table = make<DependTable>();
  return extras->table;
}

}  // namespace bobbin
