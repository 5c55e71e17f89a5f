// SPDX-License-Identifier: Apache-2.0
#include "task/depend/transparent.h"

#include "task/depend/graph_ports.h"
#include "task/depend/registration.h"
#include "task/memory/bulk.h"
#include "task/model/childless.h"
#include "task/model/completion.h"
#include "task/model/extras.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

constexpr uint32_t kExitLinks = 2;  // one for its predecessor's list, one for the generation
constexpr size_t kMostPorts = 1u << 20;

// mutexinoutset becomes Out: tasks in order exclude each other.
DependKind kind_from_outside(DependKind kind) {
  return kind == DependKind::MutexInoutset ? DependKind::Out : kind;
}

// Makes the ports of one task.
class Opening {
 public:
  Opening(Thread& thread, Task& task, DependTable& outer, DependTable& inner)
      : thread_(thread), task_(task), outer_(outer), inner_(inner) {}

  // Determines the ports, and makes the task's node and the exits. False: out of memory, and
  // nothing has changed.
  bool prepare(const DependList& depend, Impex impex);
  // Enters the exits into the order outside. The entries, or the task, wait for what the exits find
  // there. True: the task waits for nothing.
  bool enter();

 private:
  bool prepare_exits(const DependList& depend);
  bool prepare_exit(const Dependence& dependence);
  GraphPort* add_port(const Dependence& dependence);
  void give_up();
  void enter_exit(const GraphPort& port);
  void order_exits_after_entries();
  void set_entry(GraphPort& port);

  Thread& thread_;
  Task& task_;
  DependTable& outer_;  // the parent's
  DependTable& inner_;  // the task's own
  DependNode* node_ = nullptr;
  GraphPorts* ports_ = nullptr;
};

bool Opening::prepare(const DependList& depend, Impex impex) {
  if (depend.count > kMostPorts) return false;
  if (!outer_.begin_registration(depend.count)) return false;
  if (!inner_.begin_registration(depend.count)) return false;
  // A task that waits outside has in general one predecessor per address.
  auto links = task_.imports ? 0 : 2 * static_cast<uint32_t>(depend.count);
  node_ = outer_.take_node(links, DependNodeKind::Task);
  if (node_ == nullptr) return false;
  node_->task = &task_;
  ports_ = make_ports(*thread_.member, task_, impex, depend.count);
  if (ports_ != nullptr && prepare_exits(depend)) return true;
  give_up();
  return false;
}

bool Opening::prepare_exits(const DependList& depend) {
  for (size_t i = 0; i < depend.count; i++) {
    // The other dependences add nothing to omp_all_memory. A null pointer is treated like it: it is
    // not worth more effort.
    if (depend.items[i].address == 0) return add_port({0, DependKind::Out}) != nullptr;
  }
  for (size_t i = 0; i < depend.count; i++) {
    if (!prepare_exit(depend.items[i])) return false;
  }
  return true;
}

// Until the entries are made, the DependEntry in the inner table leads to the exit.
bool Opening::prepare_exit(const Dependence& dependence) {
  bool is_new;
  DependEntry& entry = inner_.entries.enter(dependence.address, is_new);
  if (entry.before == nullptr) {
    GraphPort* port = add_port(dependence);
    if (port == nullptr) return false;
    entry.set_kind(DependKind::Out);
    entry.before = port->exit;
    return true;
  }
  Dependence& known = entry.before->port->dependence;
  if (known.kind != kind_from_outside(dependence.kind)) known.kind = DependKind::Out;
  return true;
}

GraphPort* Opening::add_port(const Dependence& dependence) {
  DependNode* exit = outer_.take_node(kExitLinks, DependNodeKind::Join);
  if (exit == nullptr) return nullptr;
  GraphPort* port = &ports_->items()[ports_->count++];
  *port = GraphPort{
      {dependence.address, kind_from_outside(dependence.kind)}, nullptr, exit, ports_, nullptr};
  exit->port = port;
  return port;
}

void Opening::give_up() {
  auto retire = [this](DependNode& node) {
    node.successors.close();
    outer_.nodes.retire(node);
  };
  retire(*node_);
  inner_.entries.for_each([](DependEntry& entry) { entry.before = nullptr; });
  if (ports_ == nullptr) return;
  for (uint32_t i = 0; i < ports_->count; i++) retire(*ports_->items()[i].exit);
  destroy_ports(ports_);
}

bool Opening::enter() {
  inner_.ports = ports_;
  if (task_.imports) {
    order_exits_after_entries();
    outer_.begin_look();
  } else {
    for (uint32_t i = 0; i < ports_->count; i++) enter_exit(ports_->items()[i]);
    inner_.entries.for_each([](DependEntry& entry) { entry.before = nullptr; });
  }
  task_.extras->node = node_;
  add_bulk(*thread_.member, node_->bulk());
  return Registration(thread_, outer_, *node_).finish();
}

void Opening::enter_exit(const GraphPort& port) {
  Registration registration(thread_, outer_, *port.exit);
  registration.enter({&port.dependence, 1});
  registration.leave_to_another();
}

void Opening::order_exits_after_entries() {
  task_.references.fetch_add(1, relaxed);
  ports_->pending_entries.store(1, relaxed);
  for (uint32_t i = 0; i < ports_->count; i++) {
    GraphPort& port = ports_->items()[i];
    static_cast<void>(outer_.begin_registration(1));  // there is room
    enter_exit(port);
    ports_->pending_entries.fetch_add(1, relaxed);
    port.entry = bridge_found(thread_, outer_, inner_, DependNodeKind::Entry, &port);
    if (port.entry == nullptr) ports_->pending_entries.fetch_sub(1, relaxed);
    set_entry(port);
  }
  if (ports_->pending_entries.fetch_sub(1, acq_rel) == 1) drop_reference(&task_);
}

void Opening::set_entry(GraphPort& port) {
  DependNode* entry = port.entry;
  if (entry != nullptr) entry->uses++;
  if (is_all_memory(port.dependence)) {
    inner_.all_memory = entry;
  } else {
    inner_.entries.find(port.dependence.address)->before = entry;
  }
  // The exit needs the entry in the end.
  if (entry != nullptr && !exports(ports_->impex)) entry->uses++;
}

// What the children of a task that has ended did last at this address; nullptr: all of it has
// completed.
DependNode* last_inside(Thread& thread, DependTable& table, const Dependence& dependence) {
  table.begin_look();
  DependNode nobody;
  Registration registration(thread, table, nobody);
  Dependence all = {dependence.address, DependKind::Out};
  registration.look({&all, 1});
  if (table.found_count == 1) return table.found[0];
  DependNode* join = bridge_found(thread, table, table, DependNodeKind::Join, nullptr);
  if (join != nullptr) table.nodes.retire(*join);  // no other one is taken before it has been used
  return join;
}

// The order around the task's parent is no longer in the parent's table alone.
void enter_order(Task& task, DependTable& outer, DependTable& inner) {
  task.parent->order_goes_beyond = true;
  task.in_order = true;
  inner.position = ++outer.transparent_children;
}

// For lack of memory: the task and its children are done before there are others.
void execute_with_children(Thread& thread, Task& task) {
  task.imports = false;
  task.references.fetch_add(1, relaxed);
  execute_in_order(thread, task);
  if (task.extras->table != nullptr) wait_for_all(thread, *task.extras->table);
  drop_reference(&task);
}

// Gives a child's node, or a join of several, a place in the order around its parent.
void export_last(Thread& thread, DependTable& inner, DependTable& outer, uintptr_t address) {
  constexpr uint32_t kLinks = 4;  // its generation, the one inside, in general one outside
  Dependence all = {address, DependKind::Out};
  DependNode* last = last_inside(thread, inner, all);
  if (last == nullptr) return;
  bool room = outer.begin_registration(1);
  DependNode* exit = room ? outer.take_node(kLinks, DependNodeKind::Join) : nullptr;
  if (exit == nullptr) return wait_for_completion(thread, *last);
  Registration registration(thread, outer, *exit);
  registration.enter({&all, 1});
  if (!outer.note(*last)) wait_for_completion(thread, *last);
  if (registration.finish()) exit->successors.close();
}

}  // namespace

bool set_next_impex(Thread& thread, Impex impex) {
  TaskExtras* extras = extras_of(*thread.task);
  if (extras == nullptr) return false;
  extras->next_impex = impex;
  thread.task->order_goes_beyond = true;  // so that its next child's construct looks
  return true;
}

bool register_transparent(Thread& thread, Task& task, const DependList& depend, Impex impex) {
  if (imports(impex)) {
    task.imports = task.order_goes_beyond = true;
    task.tied = false;  // for the scheduling constraint: transparent_order.h
  }
  DependTable* outer = table_for_children(*task.parent);
  DependTable* inner = table_for_children(task);
  if (outer != nullptr && inner != nullptr) {
    Opening opening(thread, task, *outer, *inner);
    if (opening.prepare(depend, impex)) {
      enter_order(task, *outer, *inner);
      return opening.enter();
    }
  }
  execute_with_children(thread, task);
  return false;
}

bool register_exit(Thread& thread, Task& task, const GraphPort& port) {
  DependTable& table = *task.extras->table;
  const bool follows_children = exports(port.all->impex);
  DependNode* last = follows_children ? last_inside(thread, table, port.dependence) : port.entry;
  if (last == nullptr) return true;
  const bool ready = register_with(*port.exit, 1, [&](uint32_t, DependNode*& before) {
    before = last;
    return &port.exit->links()[0];
  });
  if (!follows_children) table.drop(port.entry);  // kept until here by set_entry()
  return ready;
}

void begin_exporting(Task& task) {
  DependTable* outer = table_for_children(*task.parent);
  DependTable* inner = table_for_children(task);
  if (outer != nullptr && inner != nullptr) {
    enter_order(task, *outer, *inner);
  } else {
    task.final_task = true;  // no memory: its children end before it does
  }
}

void export_children(Thread& thread) {
  Task& task = *thread.task;
  if (order_is_empty(task)) return;
  DependTable& inner = *task.extras->table;
  DependTable& outer = *task.parent->extras->table;
  if (inner.all_memory != nullptr && !inner.all_memory->completed()) {
    export_last(thread, inner, outer, 0);
    return;
  }
  inner.entries.for_each([&](const DependEntry& entry) {
    export_last(thread, inner, outer, DependMap::address_of(entry));
  });
}

}  // namespace bobbin
