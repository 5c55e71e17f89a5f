// SPDX-License-Identifier: Apache-2.0
#include "task/create/defer_plain.h"

#include "task/create/in_place.h"
#include "task/model/child_count.h"
#include "task/model/descriptor.h"
#include "task/model/promotion.h"
#include "task/model/task_pool.h"
#include "task/run/execute.h"
#include "task/run/ready.h"
#include "task/tuning/defer_limit.h"

namespace bobbin {
namespace {

// Small data, so that a block holds them together with the descriptor.
constexpr size_t kMostData = 4 * kCacheLine;

// Neither policies nor cancellation, schedulers of the program's or its memory bound have a say.
bool only_thieves_count(const Thread& thread) {
  const Member& member = *thread.member;
  const Team& team = *member.team;
  const Task& parent = *thread.task;
  return !has_enough(member) && !nobody_else(team) && !team.steers_creation &&
         !team.cancelled.load(relaxed) && taskgroup_state(parent.group) == 0 &&
         !parent.final_task && !memory_check_due(member);
}

}  // namespace

bool defer_plain(Thread& thread, void (*function)(void*), void* data, void (*copy)(void*, void*),
                 size_t size, size_t alignment, bool tied) {
  if (size > kMostData || alignment > kCacheLine || !only_thieves_count(thread)) return false;
  if (!promote_current(thread)) return false;
  Member& member = *thread.member;
  learn_from_thieves(thread);
  void* block = take_task_block(*thread.worker, sizeof(Task) + size);
  if (block == nullptr) return false;
  auto* task = new (block) Task(*thread.task, false, tied);
  task->kind = TaskKind::Deferred;
  task->function = function;
  task->data = task + 1;
  construct_data(*task, data, copy, size);
  count_child(member, *task);
  if (member.tasks.push(task)) {
    tell_about_task(thread, *member.team);
  } else {
    execute(thread, *task);  // no memory for the queue: at once, which is in order
  }
  return true;
}

}  // namespace bobbin
