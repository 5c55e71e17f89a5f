// SPDX-License-Identifier: Apache-2.0
#include "task/model/promotion.h"

#include <cstdlib>
#include <new>

#include "platform/watchers/happens_before.h"
#include "task/memory/task_pool.h"
#include "task/model/completion.h"
#include "task/model/extras.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

// The task's parent is not an undeferred task, or no longer one.
Task* move_to_heap(Task& task, Thread& thread) {
  Task* parent = task.parent;
  void* block = take_task_block(*thread.worker, sizeof(Task));
  if (block == nullptr) return nullptr;
  forget_order(block, sizeof(Task));
  auto* moved = new (block) Task;
  moved->runner = &thread;
  moved->data = &task;  // see task_identity
  moved->parent = parent;
  moved->group = task.group;
  moved->icvs = task.icvs;
  moved->extras = task.extras;
  moved->extras_separate = task.extras_separate;
  moved->depth = task.depth;
  moved->kind = TaskKind::Deferred;
  moved->final_task = task.final_task;
  moved->order_goes_beyond = task.order_goes_beyond;
  moved->tied = task.tied;
  parent->references.fetch_add(1, relaxed);
  task.kind = TaskKind::Promoted;
  task.moved_to = moved;
  return moved;
}

}  // namespace

bool promote_current(Thread& thread) {
  Task* task = thread.task;
  if (task->kind != TaskKind::Undeferred) return true;
  // From the outermost on, so that the state is consistent if memory runs out midway. Not by
  // recursion, because there may be as many tasks as the stack has room for. `data`, which these
  // tasks do not use, leads back.
  task->data = nullptr;
  for (Task* parent; (parent = task->parent)->kind == TaskKind::Undeferred; task = parent) {
    parent->data = task;
  }
  while (true) {
    auto* inner = static_cast<Task*>(task->data);
    Task* moved = move_to_heap(*task, thread);
    if (moved == nullptr) return false;
    if (inner == nullptr) {
      thread.task = moved;
      return true;
    }
    inner->parent = moved;  // `inner` may stay where it is
    task = inner;
  }
}

Task* end_undeferred(Thread& thread) {
  Task& current = *thread.task;
  Task* parent = current.parent;
  if (current.final_task && !parent->final_task) thread.in_place.withdraw();
  if (current.kind == TaskKind::Deferred) {
    drop_reference(&current);
  } else if (current.extras != nullptr) {
    release_extras(current);
  }
  return parent;
}

void end_moved_task() {
  Thread& thread = self();
  thread.task = end_undeferred(thread);
}

}  // namespace bobbin
