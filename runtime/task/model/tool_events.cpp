// SPDX-License-Identifier: Apache-2.0
#include "task/model/tool_events.h"
#include "platform/locks/fork_lock.h"
#include "task/model/taskgroup.h"

#include <cstdlib>

#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "task/model/extras.h"

namespace bobbin {
namespace {

using tool::callbacks;
using tool::tell;

int flags_of(const Thread& thread, const TaskSpec& spec) {
  const bool final_task = spec.final_task || thread.task->final_task;
  const bool undeferred =
      !spec.deferrable || thread.task->final_task || thread.member->team->serial();
  return ompt_task_explicit | (undeferred ? ompt_task_undeferred : 0) |
         (final_task ? ompt_task_final : 0) | (spec.tied ? 0 : ompt_task_untied) |
         (spec.mergeable ? ompt_task_mergeable : 0);
}

ompt_dependence_type_t type_of(const Dependence& dependence) {
  switch (dependence.kind) {
    case DependKind::In:
      return ompt_dependence_type_in;
    case DependKind::MutexInoutset:
      return ompt_dependence_type_mutexinoutset;
    case DependKind::Inoutset:
      return ompt_dependence_type_inoutset;
    case DependKind::Inout:
      break;
  }
  return dependence.address == 0 ? ompt_dependence_type_inout_all_memory
                                 : ompt_dependence_type_inout;
}

void tell_dependences(tool::TaskState& task, const DependList& depend) {
  if (depend.empty() || callbacks.dependences == nullptr) return;
  auto* told = static_cast<ompt_dependence_t*>(malloc(depend.count * sizeof(ompt_dependence_t)));
  if (told == nullptr) return;
  for (size_t i = 0; i < depend.count; i++) {
    told[i].variable.value = depend.items[i].address;
    told[i].dependence_type = type_of(depend.items[i]);
  }
  tell(callbacks.dependences, &task.data, static_cast<const ompt_dependence_t*>(told),
       static_cast<int>(depend.count));
  free(told);
}

[[gnu::always_inline]] inline void tell_create(Thread& thread, tool::TaskState& created, int flags,
                                               const DependList& depend) {
  tool::TaskState& current = *thread.tool.task;
  created.flags = flags;
  created.region = current.region;
  tell(callbacks.task_create, &current.data, static_cast<const ompt_frame_t*>(&current.frame),
       &created.data, flags, depend.empty() ? 0 : 1, thread.tool.code);
  tell_dependences(created, depend);
}

SpinLock completion;

}  // namespace

void init_watched_completion() { add_fork_lock(held_across_fork<completion>); }

void WatchedCompletion::enter() { completion.lock(); }
void WatchedCompletion::leave() { completion.unlock(); }

void tell_task_create(Thread& thread, tool::TaskState& created, const TaskSpec& spec) {
  created.iterations = spec.rare->iterations;
  tell_create(thread, created, flags_of(thread, spec), spec.depend);
}

void tell_plain_task_create(Thread& thread, tool::TaskState& created, int flags) {
  const int undeferred = thread.member->team->serial() ? ompt_task_undeferred : 0;
  tell_create(thread, created, ompt_task_explicit | undeferred | flags, {});
}

void tell_task_create(Thread& thread, Task& task, const TaskSpec& spec) {
  auto* state = make<tool::TaskState>();
  if (state == nullptr) return;
  task.extras->tool = state;
  tell_task_create(thread, *state, spec);
}

void tell_taskwait_begin(Thread& thread, tool::TaskState& waiting, const DependList& depend) {
  tell_create(thread, waiting, ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable,
              depend);
}

void tell_taskwait_end(tool::TaskState& waiting) {
  tell(callbacks.task_schedule, &waiting.data, ompt_taskwait_complete,
       static_cast<ompt_data_t*>(nullptr));
}

void tell_task_dependence(const Task& predecessor, const Task& successor) {
  tool::TaskState* first = state_of(predecessor);
  tool::TaskState* second = state_of(successor);
  if (first == nullptr || second == nullptr) return;
  tell(callbacks.task_dependence, &first->data, &second->data);
}

void tell_task_switch(Thread& thread, tool::TaskState& task, void* frame) {
  tool::TaskState* current = thread.tool.task;
  task.interrupted = current;
  task.thread_num = thread.member->num;
  thread.tool.task = &task;
  tell(callbacks.task_schedule, &current->data, thread.tool.leaving, &task.data);
  thread.tool.leaving = ompt_task_switch;
  if (task.iterations.iterations != 0) {
    ompt_data_t instance;
    instance.ptr = &task.iterations;
    tell(callbacks.dispatch, &task.region->data, &task.data, ompt_dispatch_taskloop_chunk,
         instance);
  }
  task.frame.exit_frame.ptr = frame;
  task.frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
}

void tell_task_end(Thread& thread, tool::TaskState& task, ompt_task_status_t status) {
  task.frame.exit_frame = {};
  thread.tool.task = task.interrupted;
  tell(callbacks.task_schedule, &task.data, status, &task.interrupted->data);
}

ompt_task_status_t end_status(const Thread& thread, Taskgroup* group) {
  return tasks_cancelled(thread, group) ? ompt_task_cancel : ompt_task_complete;
}

void tell_task_discarded(const Thread& thread, tool::TaskState& task) {
  const bool whole_region = thread.member->team->cancelled.load(relaxed);
  const int cancelled = whole_region ? ompt_cancel_parallel : ompt_cancel_taskgroup;
  tell(callbacks.cancel, &task.data, cancelled | ompt_cancel_discarded_task,
       static_cast<const void*>(nullptr));
}

void tell_fulfilled(tool::TaskState& task, ompt_task_status_t status) {
  tell(callbacks.task_schedule, &task.data, status, static_cast<ompt_data_t*>(nullptr));
}

tool::TaskState* state_of(const Task& task) {
  return task.kind == TaskKind::Deferred && task.extras != nullptr ? task.extras->tool : nullptr;
}

}  // namespace bobbin
