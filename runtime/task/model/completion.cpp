// SPDX-License-Identifier: Apache-2.0
#include "task/model/completion.h"

#include "platform/watchers/happens_before.h"
#include "sched/workers/pool.h"
#include "task/memory/bulk.h"
#include "task/model/ancestry.h"
#include "task/model/continuation.h"
#include "task/model/descriptor.h"
#include "task/model/extras.h"
#include "task/model/taskgroup.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

// For the race detector: the ends of tasks come before those of the region, or of its barrier, of
// the taskgroup, and of their parent's taskwait.
void tell_end(const Team& team, const Taskgroup* group, const Task* parent) {
  if (!looks_for_races()) [[likely]]
    return;
  happens_before(ends_of_tasks(team, team.barrier.generation.load(relaxed)));
  if (group != nullptr) happens_before(group);
  happens_before(parent);
}

void end_in_group(Taskgroup* group, uint32_t count) {
  if (group == nullptr) return;
  uint32_t left = group->tasks.fetch_sub(count, acq_rel) - count;
  if (left < kContinuationWaiter) return;
  // The waiter may have seen the zero, too, and the record may already serve another region, whose
  // owner is then resumed for nothing.
  if (left == kWaiter) resume(*group->owner);
  // Only this thread will continue the waiting continuation.
  if (left == kContinuationWaiter) resume_continuation(*group->continuation);
}

void end_in_parent(Task* parent, uint32_t count) {
  uint32_t left = parent->children.fetch_sub(count, acq_rel) - count;
  if (left < kContinuationWaiter) return;
  if (left == kWaiter) resume(runner_of(*parent));
  if (left == kContinuationWaiter) resume_continuation(*parent->continuation);
}

void drop_references(Task* task, uint32_t count) {
  // The task is not read again after its reference is given back: it may be gone.
  while (task->kind == TaskKind::Deferred) {
    if (task->references.fetch_sub(count, acq_rel) != count) return;
    Task* parent = task->parent;
    if (task->extras != nullptr) release_extras(*task);
    free_descriptor(*self().worker, task);
    task = parent;
    count = 1;
  }
  task->references.fetch_sub(count, release);
}

// Has the task completed, so that only one child keeps it there? A task that has copies of ICVs
// stays, because its children's children may use them. A transparent task stays, too, because those
// above and below it are found through it (task/modes/transparent_order.h).
bool is_for_one_child(const Task& task) {
  if (task.kind != TaskKind::Deferred || task.in_order) return false;
  if (task.references.load(acquire) != 1) return false;
  return task.extras == nullptr || task.extras->own_icvs == nullptr;
}

// The task has completed, but still holds its own reference. The exits of a transparent task are in
// its parent's table.
void shorten_ancestry(Task& task, Team& team) {
  if (task.in_order) return;
  shorten(task, team.ancestries_shortened, is_for_one_child, [](Task* passed) {
    if (passed->extras != nullptr) release_extras(*passed);
    free_descriptor(*self().worker, passed);
  });
}

}  // namespace

void drop_reference(Task* task) { drop_references(task, 1); }

void complete(Thread& thread, Task& task, Team& team) {
  Member& member = *thread.member;
  if (member.team == &team) {
    Completions(thread).add(task);
    return;
  }
  const uint64_t weight = weight_of(task);
  tell_end(team, task.group, task.parent);
  end_in_group(task.group, 1);
  end_in_parent(task.parent, 1);
  free_data(*thread.worker, task);
  shorten_ancestry(task, team);
  drop_reference(&task);
  Member** members = team.members;
  // Last, as in Completions::settle(). The record of an initial team may serve another thread from
  // now on (team/regions/roots.cpp); a needless wake-up does that thread no harm.
  team.ended_elsewhere.fetch_add(weight, acq_rel);
  fence(seq_cst);
  int sleeper = team.barrier.asleep.claim_lowest();
  if (sleeper >= 0) resume(*members[sleeper]->thread);
}

void Completions::note(const Task& task) {
  parent_ = task.parent;
  group_ = task.group;
  count_++;
  weight_ += weight_of(task);
}

void Completions::add_kept(const Task& task) {
  note(task);
  freed_++;
}

void Completions::add(Task& task) {
  note(task);
  // Is its own reference the last? New ones come only from the thread that executes the task, or
  // from holders of another one.
  if (task.references.load(acquire) != 1) {
    settle(&task);
    return;
  }
  freed_++;
  if (task.extras != nullptr) release_extras(task);
  free_descriptor(*thread_.worker, &task, blocks_);
}

// The parent stays as long as one of the references that are given back here is held.
void Completions::settle(Task* outlived) {
  if (count_ == 0) return;
  blocks_.flush();
  tell_end(*thread_.member->team, group_, parent_);
  end_in_group(group_, count_);
  end_in_parent(parent_, count_);
  if (freed_ != 0) drop_references(parent_, freed_);
  if (outlived != nullptr) {
    free_data(*thread_.worker, *outlived);
    shorten_ancestry(*outlived, *thread_.member->team);
    drop_reference(outlived);
  }
  // Last: when the counts agree, no task of the region is left.
  Atomic<uint64_t>& ended = thread_.member->tasks_ended;
  ended.store(ended.load(relaxed) + weight_, release);
  count_ = freed_ = 0;
  weight_ = 0;
}

}  // namespace bobbin
