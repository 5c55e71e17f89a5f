// SPDX-License-Identifier: Apache-2.0
#include "task/create/defer_plain.h"

#include "task/create/decision.h"
#include "task/create/make_task.h"
#include "task/memory/task_pool.h"
#include "task/model/descriptor.h"
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
  auto get = [&](Task& parent) -> Task* {
    void* block = take_task_block(*thread.worker, sizeof(Task) + size);
    return block != nullptr ? new (block) Task(parent, false, tied) : nullptr;
  };
  Task* task = make_task(thread, get, [&](Task& made) {
    made.kind = TaskKind::Deferred;
    made.function = function;
    made.data = &made + 1;
    construct_data(made, data, copy, size);
  });
  if (task == nullptr) return false;
  if (thread.member->tasks.push(task)) {
    tell_about_task(thread, *thread.member->team);
  } else {
    execute(thread, *task);  // no memory for the queue: executed at once
  }
  return true;
}

}  // namespace bobbin
