// SPDX-License-Identifier: Apache-2.0
#include "task/run/execute.h"

#include "platform/watchers/happens_before.h"
#include "sched/workers/pool.h"
#include "task/depend/dependences.h"
#include "task/model/completion.h"
#include "task/model/constraint.h"
#include "task/model/continuation.h"
#include "task/model/discard.h"
#include "task/model/extras.h"
#include "task/model/taskgroup.h"
#include "task/model/tool_events.h"
#include "task/run/modes.h"
#include "task/run/own_strand.h"
#include "task/run/ready.h"
#include "task/run/watched_task.h"
#include "task/tuning/duration.h"
#include "task/tuning/limits.h"
#include "tool/own_events.h"

namespace bobbin {
namespace {

[[gnu::noinline]] void execute_elsewhere(Thread& thread, Task& task) {
  call_on_fresh_stack(thread, [&] { execute(thread, task); });
}

// May this thread, which executed `task`, go on with its successor? The scheduling constraint
// allows a successor of the same parent as it allowed `task`.
bool may_hand_over(const Thread& thread, const Team& team, const Task& task, const Task& next) {
  return enabled(Heuristic::HandOver) && next.extras->team == &team && next.parent == task.parent &&
         !next.in_order && next.extras->priority == 0 && team.priority_tasks.empty() &&
         may_go_on_in_mode(thread, next);
}

enum class BlockEnd : uint8_t { Reached, Skipped };

Task* end_block(Thread& thread, Task& task, Completions& completions, BlockEnd end) {
  if (task.extras == nullptr) {
    completions.add(task);
    return nullptr;
  }
  const Team& team = *thread.member->team;
  const bool discarded = end == BlockEnd::Skipped || task.discarded;
  if (task.extras->detached) happens_before(&task.extras->event);
  if (!discarded && task.extras->detached) {
    Event& event = task.extras->event;
    if (event.held.load(relaxed) != 0 && event.held.fetch_sub(1, acq_rel) == 1) {
      event.leave(Event::Mark::Fulfilled);
    }
    if (event.mark.load(relaxed) == Event::Mark::None) task.extras->block_ended = ticks();
    if (event.leave(Event::Mark::BlockEnded) == Event::Mark::None) return nullptr;
  }
  if (task.extras->detached) happens_after(&task.extras->event);
  Task* next = nullptr;
  if (task.kept) {
    next = ask_modes(team, [&](Mode& mode) { return mode.follow_up(thread, task); });
  } else if (task.extras->node != nullptr) {
    const tool::WatchedPhase phase(bobbin_phase_dependence_release, nullptr);
    next = make_ready_but_last(thread, release_successors(thread, task));
  }
  if (next != nullptr) {
    const bool hand_over = may_hand_over(thread, team, task, *next);
    thread.worker->counts.ask(Heuristic::HandOver, hand_over);
    if (!hand_over) {
      make_ready(thread, *next);
      next = nullptr;
    }
  }
  if (task.kept) {
    completions.add_kept(task);
  } else if (discarded && task.extras->detached) {
    completions.add_kept(task);
    leave_to_event(task);
  } else {
    completions.add(task);
  }
  return next;
}

// mutexinoutset: no other task excludes this one. Otherwise that task makes it ready again.
bool not_excluded(Task& task) {
  return task.extras == nullptr || task.extras->node == nullptr || acquire_exclusion(task);
}

void call_function(Thread& thread, Task& task) {
  Task* previous = thread.task;
  auto function = task.function;
  const UntiedBase base(thread, task);
  task.runner = &thread;
  thread.task = &task;
  thread.withdraw_permits();
  const WatchedTask watched(thread, task);
  if (task.extras != nullptr && task.extras->node != nullptr) {
    if (looks_for_races()) [[unlikely]]
      tell_order_before(task);
    DurationSample sample(*thread.member);
    function(task.data);
    sample.end(task.extras->construct);
  } else {
    function(task.data);
  }
  thread.task = previous;
  thread.withdraw_permits();
}

// False: the block has not ended, or what follows from its end has been done elsewhere.
bool execute_block(Thread& thread, Task& task, Completions& completions) {
  if (task.own_stack) [[unlikely]] {
    completions.settle();
    if (run_as_continuation(thread, task)) return false;
  }
  call_function(thread, task);
  return true;
}

// The task's structured block, and what follows from its end. Returns the successor that this
// thread shall go on with, or nullptr.
Task* execute_one(Thread& thread, Task& task, Completions& completions) {
  const bool called = !tasks_cancelled(thread, task.group) || task.must_run;
  if (called) {
    if (!execute_block(thread, task, completions)) return nullptr;
  } else if (tool::watched && state_of(task) != nullptr) {
    tell_task_discarded(thread, *state_of(task));
  }
  Task* next = end_block(thread, task, completions, called ? BlockEnd::Reached : BlockEnd::Skipped);
  return next != nullptr && not_excluded(*next) ? next : nullptr;
}

// The same for a race detector. What the task's strand releases is the order of its end.
[[gnu::noinline]] Task* execute_for_detector(Thread& thread, Task& task, Completions& completions) {
  if (!has_strands()) {
    happens_after(&task);
    return execute_one(thread, task, completions);
  }
  Task* next = nullptr;
  call_on_own_strand(thread, [&] {
    happens_after(&task);
    next = execute_one(thread, task, completions);
    completions.settle();
  });
  return next;
}

Task* execute_next(Thread& thread, Task& task, Completions& completions) {
  completions.make_way_for(task);
  if (looks_for_races()) [[unlikely]]
    return execute_for_detector(thread, task, completions);
  return execute_one(thread, task, completions);
}

void execute(Thread& thread, Task& task, Completions& completions) {
  if (stack_nearly_used_up(thread) && !has_strands()) [[unlikely]] {
    completions.settle();
    execute_elsewhere(thread, task);
    return;
  }
  Task* next = execute_next(thread, task, completions);
  for (unsigned handed_over = 1; next != nullptr; handed_over++) {
    if (handed_over == kMostHandedOver) {
      make_ready(thread, *next);
      return;
    }
    thread.worker->pass_scheduling_point();
    tell_modes(*thread.member->team, [&](Mode& mode) { mode.follow(thread, *next); });
    next = execute_next(thread, *next, completions);
  }
}

}  // namespace

void execute(Thread& thread, Task& task) {
  Completions completions(thread);
  execute(thread, task, completions);
}

Task* end_block(Thread& thread, Task& task, Completions& completions) {
  return end_block(thread, task, completions, BlockEnd::Reached);
}

bool begin_task(Thread& thread, Task& task, Completions& completions) {
  if (!not_excluded(task)) return false;
  execute(thread, task, completions);
  return true;
}

void begin_task(Thread& thread, Task& task) {
  if (not_excluded(task)) execute(thread, task);
}

void make_ready(Thread& thread, Task& task) {
  if (!queue_ready(thread, task)) begin_task(thread, task);
}

Task* make_ready_but_last(Thread& thread, const ReadyTasks& tasks) {
  tasks.each_before_last([&](Task& task) { make_ready(thread, task); });
  return tasks.last();
}

void queue_or_begin(Thread& thread, Task& task) {
  if (push_to_queue(*thread.member, task)) {
    tell_about_task(thread, *thread.member->team);
  } else {
    begin_task(thread, task);
  }
}

}  // namespace bobbin
