// SPDX-License-Identifier: Apache-2.0
#include "task/depend.h"

#include <cstdlib>

#include "platform/memory.h"
#include "sched/pool.h"
#include "task/depend_table.h"
#include "task/duration.h"
#include "task/exclusion.h"
#include "task/extras.h"
#include "task/schedule.h"
#include "task/strand.h"
#include "team/task_hooks.h"

// Per address there is a sequence of generations (depend_map.h). A task joins the current one if it
// is of the same set kind, and then waits for what came before it; else it opens the next
// generation, and waits for all members of the current one.
namespace bobbin {
namespace {

constexpr size_t kMostDependences = 1u << 22;  // of one task
constexpr uint32_t kWaiterLinks = 8;
constexpr uint32_t kFirstLook = 16;  // see DependEntry::room

bool is_all_memory(const Dependence& dependence) {
  return dependence.address == 0 && dependence.kind == DependKind::Out;
}

// For want of memory to note who is to be waited for.
void wait_for_completion(Thread& thread, const DependNode& node) {
  while (!node.completed()) {
    if (!run_a_task(thread, true) && !yield(thread)) cpu_pause();
  }
}

// One node's registration with its predecessors.
class Registration {
 public:
  Registration(Thread& thread, DependTable& table, DependNode& node)
      : thread_(thread), table_(table), node_(node) {
    node.mark = table.registration;  // nobody is his own predecessor
    node.uses = 1;                   // of this registration
  }

  // The new task of the node follows the others in the order that it says.
  void enter(const DependList& depend);
  // A waiter only looks.
  void look(const DependList& depend);
  // Are all predecessors brief ones?
  bool follows_brief_ones() const;
  // True: nothing blocks the node.
  bool finish();

 private:
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
  uint32_t members_ = 0;  // of generations, so far
};

void Registration::precede(DependNode* node) {
  if (node == nullptr || node->mark == table_.registration || node->completed()) return;
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
  for (size_t i = 0; i < depend.count; i++) {
    if (is_all_memory(depend.items[i])) return enter_all_memory();
  }
  for (size_t i = 0; i < depend.count; i++) enter(depend.items[i]);
}

// After everything before it, before everything after it: the entries have nothing to add to that.
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
    add_member(entry);
  }
}

// Whatever kinds of one address a task names, and in whatever order, this makes it wait for all
// others that any of them is to wait for, and puts it into up to as many generations in a row.
void Registration::open_generation(DependEntry& entry, DependKind kind) {
  DependLink* members = entry.members;
  DependNode* before = nullptr;
  if (kind == DependKind::Out || members == nullptr || members->next == nullptr) {
    precede_all(entry);
    // Nobody joins an Out, so nothing needs to be before it.
    if (kind != DependKind::Out) before = members != nullptr ? members->node : entry.before;
  } else if (members->node == &node_) {
    precede_all(entry);
    before = &node_;
  } else {
    // All who are going to join would have to wait for each of these.
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
  DependNode* join = table_.take_node(count + 1, DependNodeKind::Join);
  if (join == nullptr) {
    for (DependLink* link = members; link != nullptr; link = link->next) {
      wait_for_completion(thread_, *link->node);
    }
    return nullptr;
  }
  join->task = nullptr;
  DependLink* link = members;
  bool completed = register_with(*join, count, [&](uint32_t i, DependNode*& predecessor) {
    predecessor = link->node;
    link = link->next;
    return &join->links()[i];
  });
  if (!completed) return join;
  join->successors.close();
  table_.nodes.retire(*join);
  return nullptr;
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
  for (uint32_t i = 0; i < request->count; i++) {
    if (request->wanted()[i] == exclusion) return true;
  }
  request->wanted()[request->count++] = exclusion;
  return true;
}

void Registration::look(const DependList& depend) {
  for (size_t i = 0; i < depend.count; i++) look(depend.items[i]);
}

// Mutual exclusion with a task that waits in place is simplest had by waiting for all members.
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
  } else if ((kind == DependKind::In || kind == DependKind::Inoutset) && kind == entry->kind()) {
    precede(entry->before);
  } else {
    precede_all(*entry);
  }
}

// Sees to links for `count` predecessors. Returns how many of them lie in the node, after the
// annex; `count` becomes smaller if there is no memory for more.
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
  for (uint32_t i = 0; i < table_.found_count; i++) {
    if (!table_.found[i]->brief) return false;
  }
  return true;
}

bool Registration::finish() {
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

// A place in the order for a new task; nullptr: out of memory.
DependNode* begin_registration(DependTable* table, Task& task, const DependList& depend) {
  if (table == nullptr || depend.count > kMostDependences) return nullptr;
  if (!table->begin_registration(depend.count)) return nullptr;
  // In general each dependence has one predecessor.
  auto links = 2 * static_cast<uint32_t>(depend.count);
  uint32_t exclusions = 0;
  for (size_t i = 0; i < depend.count; i++) {
    if (depend.items[i].kind == DependKind::MutexInoutset) exclusions++;
  }
  DependNode* node = table->take_node(links + (exclusions != 0 ? 1 : 0), DependNodeKind::Task);
  if (node == nullptr) return nullptr;
  node->task = &task;
  if (exclusions != 0) table->nodes.annex_of(*node).exclusion = make_request(*table, exclusions);
  return node;
}

// There is no memory for the order: the task runs here and now, when all its siblings have
// completed, and is done before there are others.
void execute_in_order(Thread& thread, Task& task) {
  Atomic<uint32_t>& siblings = task.parent->children;
  while ((siblings.load(acquire) & ~kChildWaiter) > 1) {
    if (!run_a_task(thread, true) && !yield(thread)) cpu_pause();
  }
  execute(thread, task);
}

ExclusionRequest* exclusion_request(DependNode& node) {
  return node.has_annex ? node.annex().exclusion : nullptr;
}

// The last task that becomes ready, which was made first, is left in `kept`.
void pass_on(Thread& thread, DependNode& node, Task*& kept) {
  complete_node(node, [&](DependNode& successor) {
    Task* task = successor.task;
    switch (successor.kind()) {
      case DependNodeKind::Task:
        if (!give_back(successor, 1)) break;
        if (kept != nullptr) make_ready(thread, *kept);
        kept = task;
        break;
      case DependNodeKind::Join:  // they do not follow each other
        if (give_back(successor, 1)) pass_on(thread, successor, kept);
        break;
      case DependNodeKind::Waiter:
        if (Thread* waiter = give_back_to_waiter(successor)) resume(*waiter);
        break;
    }
  });
}

}  // namespace

bool register_dependences(Thread& thread, Task& task, const DependList& depend) {
  DependTable* table = table_for_children(*task.parent);
  DependNode* node = begin_registration(table, task, depend);
  if (node == nullptr) {
    execute_in_order(thread, task);
    return false;
  }
  task.extras->node = node;
  Registration registration(thread, *table, *node);
  registration.enter(depend);
  node->brief = registration.follows_brief_ones() && task_durations.brief(task.function);
  return registration.finish();
}

Task* release_successors(Thread& thread, Task& task) {
  DependNode& node = *task.extras->node;
  if (exclusion_request(node) != nullptr) {
    for (DependNode* next = give_exclusions(node); next != nullptr;) {
      Task* ready = next->task;
      next = exclusion_request(*next)->next_waiting;
      make_ready(thread, *ready);
    }
  }
  Task* kept = nullptr;
  pass_on(thread, node, kept);
  return kept;
}

bool acquire_exclusion(Task& task) {
  DependNode& node = *task.extras->node;
  return exclusion_request(node) == nullptr || take_exclusions(node);
}

Thread& wait_for_dependences(Thread& thread, const DependList& depend) {
  TaskExtras* extras = thread.task->extras;
  if (extras == nullptr || extras->table == nullptr) return thread;
  // What waits for some of its children would have to hold its thread.
  if (may_leave_thread(thread)) return taskwait(thread);
  DependTable& table = *extras->table;
  DependNode* node =
      table.begin_registration(0) ? table.take_node(kWaiterLinks, DependNodeKind::Waiter) : nullptr;
  if (node == nullptr) return taskwait(thread);
  node->waiter = &thread;
  Registration registration(thread, table, *node);
  registration.look(depend);
  if (!registration.finish()) wait_for_zero(thread, node->blockers, kBlockersWaiter);
  // Not registered in the table; from now on it may be used again.
  node->successors.close();
  return thread;
}

Predecessors predecessors(Thread& thread, const DependList& depend) {
  TaskExtras* extras = thread.task->extras;
  if (extras == nullptr || extras->table == nullptr) return Predecessors::None;
  if (childless(*thread.task)) return Predecessors::None;
  Predecessors most = Predecessors::None;
  for (size_t i = 0; i < depend.count; i++) {
    if (is_all_memory(depend.items[i])) return Predecessors::Some;
    Predecessors here = extras->table->predecessors(depend.items[i]);
    if (here == Predecessors::Some) return here;
    if (here == Predecessors::Brief) most = here;
  }
  return most;
}

void discard_table(TaskExtras& extras) {
  destroy(extras.table);
  extras.table = nullptr;
}

}  // namespace bobbin
