// SPDX-License-Identifier: Apache-2.0
#include "task/depend/dependences.h"

#include <cstdlib>

#include "platform/watchers/happens_before.h"
#include "platform/watchers/strand.h"
#include "sched/workers/pool.h"
#include "task/depend/exclusion.h"
#include "task/depend/graph_ports.h"
#include "task/depend/registration.h"
#include "task/depend/table.h"
#include "task/depend/transparent.h"
#include "task/memory/bulk.h"
#include "task/model/childless.h"
#include "task/model/continuation.h"
#include "task/model/extras.h"
#include "task/model/tool_events.h"
#include "task/tuning/duration.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

constexpr size_t kMostDependences = 1u << 22;  // of one task

// A place in the order for a new task; nullptr: out of memory.
DependNode* make_node(DependTable* table, Task& task, const DependList& depend) {
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
  if (exclusions != 0)
    table->nodes.annex_of(*node).exclusion = make_request(table->exclusion_lock, exclusions);
  return node;
}

ExclusionRequest* exclusion_request(DependNode& node) {
  return node.has_annex ? node.annex().exclusion : nullptr;
}

// Everything that follows from the completion of one task.
class Release {
 public:
  Release(Thread& thread, ReadyTasks& ready) : thread_(thread), ready_(ready) {}

  // A node that nothing blocks has completed.
  void complete(DependNode& node);
  void end();

 private:
  void give_back_unit(DependNode& successor);
  void complete_later(DependNode& node);
  void complete_bridges();

  Thread& thread_;
  ReadyTasks& ready_;
  DependLink* bridges_ = nullptr;         // joins, entries and exits that are ready to complete
  GraphPort* completed_ports_ = nullptr;  // for end(): what follows may lie in their tables
};

// The node may be gone after that.
void resume_waiting_continuation(DependNode& waiter) {
  Continuation& continuation = *waiter.continuation;
  if (waiter.blockers.fetch_sub(1, acq_rel) == (kContinuationWaiter | 1))
    resume_continuation(continuation);
}

inline void Release::give_back_unit(DependNode& successor) {
  Task* task = successor.task;
  switch (successor.kind()) {
    case DependNodeKind::Task:
      if (give_back(successor, 1)) ready_.add(*task);
      break;
    case DependNodeKind::Join:
    case DependNodeKind::Entry:
      if (give_back(successor, 1)) complete_later(successor);
      break;
    case DependNodeKind::Waiter:
      if (Thread* waiter = give_back_to_waiter(successor)) resume(*waiter);
      break;
    case DependNodeKind::ContinuationWaiter:
      resume_waiting_continuation(successor);
      break;
  }
}

inline void Release::complete(DependNode& node) {
  complete_node(node, [this](DependNode& successor) { give_back_unit(successor); });
  if (bridges_ != nullptr) [[unlikely]]
    complete_bridges();
}

// The bridges are completed one after the other, because they may follow each other in long chains.
// All predecessors of the node have completed, so a link that was for one of them serves the list.
void Release::complete_later(DependNode& node) {
  maker_happens_after(&node);
  DependLink& link = node.links()[node.has_annex];
  link.node = &node;
  link.next = bridges_;
  bridges_ = &link;
}

[[gnu::noinline]] void Release::complete_bridges() {
  while (bridges_ != nullptr) {
    DependNode& bridge = *bridges_->node;
    bridges_ = bridges_->next;
    if (bridge.kind() == DependNodeKind::Entry) {
      bridge.port->next_completed = completed_ports_;
      completed_ports_ = bridge.port;
    }
    const Strand strand;  // follows all predecessors of the bridge
    if (has_strands()) happens_after(&bridge);
    complete_node(bridge, [this](DependNode& successor) { give_back_unit(successor); });
  }
}

inline void Release::end() {
  while (completed_ports_ != nullptr) {
    const GraphPort& port = *completed_ports_;
    completed_ports_ = port.next_completed;
    leave_entry(port);
  }
}

}  // namespace

bool register_dependences(Thread& thread, Task& task, const DependList& depend) {
  DependTable* table = table_for_children(*task.parent);
  DependNode* node = make_node(table, task, depend);
  if (node == nullptr) {
    execute_in_order(thread, task);
    return false;
  }
  task.extras->node = node;
  add_bulk(*thread.member, node->bulk());
  Registration registration(thread, *table, *node);
  registration.enter(depend);
  node->brief = registration.follows_brief_ones() && may_be_brief(task.extras->construct);
  return registration.finish();
}

ReadyTasks release_successors(Thread& thread, Task& task) {
  const WatchedCompletion watched;
  ReadyTasks ready;
  DependNode& node = *task.extras->node;
  remove_bulk(*task.extras->team, node.bulk());
  if (exclusion_request(node) != nullptr) {
    for (DependNode* next = give_exclusions(node); next != nullptr;) {
      ready.add(*next->task);
      next = exclusion_request(*next)->next_waiting;
    }
  }
  Release after(thread, ready);
  if (task.in_order) [[unlikely]] {
    GraphPorts& ports = *task.extras->table->ports;
    for (uint32_t i = 0; i < ports.count; i++) {
      const GraphPort& port = ports.items()[i];
      if (register_exit(thread, task, port)) after.complete(*port.exit);
    }
  }
  after.complete(node);
  after.end();
  return ready;
}

bool acquire_exclusion(Task& task) {
  DependNode& node = *task.extras->node;
  return exclusion_request(node) == nullptr || take_exclusions(node);
}

void tell_order_before(const Task& task) {
  DependNode& node = *task.extras->node;
  happens_after(&node);
  ExclusionRequest* request = exclusion_request(node);
  for (uint32_t i = 0; request != nullptr && i < request->count; i++) {
    happens_after(request->wanted()[i]);
  }
}

Predecessors predecessors(Thread& thread, const DependList& depend, Predecessors enough) {
  TaskExtras* extras = thread.task->extras;
  if (extras == nullptr || extras->table == nullptr) return Predecessors::None;
  if (order_is_empty(*thread.task)) return Predecessors::None;
  Predecessors most = Predecessors::None;
  for (size_t i = 0; i < depend.count; i++) {
    if (is_all_memory(depend.items[i])) return Predecessors::Some;
    Predecessors here = extras->table->predecessors(depend.items[i], enough);
    if (here > most) most = here;
    if (most >= enough) break;
  }
  return most;
}

}  // namespace bobbin
