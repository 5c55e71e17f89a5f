// SPDX-License-Identifier: Apache-2.0
#include "task/create/defer_plain.h"

#include "task/create/decision.h"
#include "task/model/child_count.h"
#include "task/model/descriptor.h"
#include "task/model/promotion.h"
#include "task/model/task_pool.h"
#include "task/run/execute.h"
#include "task/run/ready.h"

namespace bobbin {
namespace {

// A block holds so much data together with the descriptor.
constexpr size_t kMostData = 4 * kCacheLine;

}  // namespace

bool defer_plain(Thread& thread, void (*function)(void*), void* data, void (*copy)(void*, void*),
                 size_t size, size_t alignment, bool tied) {
  if (size > kMostData || alignment > kCacheLine || !surely_deferred(thread)) return false;
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
    execute(thread, *task);  // no memory for the queue: executed at once
  }
  return true;
}

}  // namespace bobbin
