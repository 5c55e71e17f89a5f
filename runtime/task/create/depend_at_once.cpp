// SPDX-License-Identifier: Apache-2.0
#include "task/create/depend_at_once.h"

#include "task/depend/dependences.h"
#include "task/model/extras.h"
#include "task/modes/policy.h"
#include "task/modes/user_scheduler.h"
#include "task/run/execute.h"
#include "task/run/schedule.h"
#include "task/tuning/duration.h"

namespace bobbin {
namespace {

constexpr int64_t kEnoughAhead = 32;  // measured alike from 8 to 64
// A stall ends when for so long no sibling has completed. After it came to nothing, so many tasks
// as it did in a row, up to the most, are deferred without one.
constexpr uint64_t kStallUs = 1;
constexpr unsigned kMostStallsSkipped = 1024;
constexpr unsigned kTrialInterval = 256;
constexpr int kPausesBetweenLooks = 16;

TaskFunction construct_of(const Task& task) {
  return task.extras != nullptr ? task.extras->construct : task.function;
}

// Runs the youngest task of the own deque if it is a brief child of the current one. No other one
// is touched: put back, the last one would have another place in the deque, and be taken for one
// that was queued since (ContinuationBase::queue_end).
bool run_brief_child(Thread& thread) {
  Member& member = *thread.member;
  Deque<Task>& tasks = member.tasks.deque();
  Task* task = tasks.pop_if([&](const Task* youngest) { return youngest->parent == thread.task; });
  if (task == nullptr) return false;
  if (brief_for(member, construct_of(*task))) {
    begin_task(thread, *task);
    return true;
  }
  queue_or_begin(thread, *task);  // who looked meanwhile has missed it
  return false;
}

bool see_off_brief_ones(Thread& thread, const DependList& depend) {
  Member& member = *thread.member;
  if (member.stalls_to_skip > 0) {
    member.stalls_to_skip--;
    return false;
  }
  uint64_t patience = kStallUs * ticks_per_us();
  uint64_t last_progress = ticks();
  uint32_t children_seen = 0;
  while (true) {
    if (predecessors(thread, depend, Predecessors::Brief) == Predecessors::None) {
      member.failed_stalls = 0;
      return true;
    }
    bool progress = run_brief_child(thread);
    if (!progress) {
      for (int i = 0; i < kPausesBetweenLooks; i++) cpu_pause();
      uint32_t children = thread.task->children.load(relaxed);
      progress = children != children_seen;
      children_seen = children;
    }
    uint64_t now = ticks();
    if (progress) {
      last_progress = now;
    } else if (now - last_progress > patience) {
      break;
    }
  }
  unsigned failed = 2 * member.failed_stalls + 1;
  if (failed > kMostStallsSkipped) failed = kMostStallsSkipped;
  member.failed_stalls = member.stalls_to_skip = failed;
  return false;
}

// Tasks made before it was known that they are brief mark all that follow them; so now and then one
// is taken for brief on trial.
bool on_trial(Member& member) { return ++member.stall_trials % kTrialInterval == 0; }

}  // namespace

bool runs_at_once(Thread& thread, const TaskSpec& spec) {
  if (spec.event_handle != nullptr || spec.priority > 0 || spec.impex != Impex::None) return false;
  if (scheduler_of(*thread.member->team, thread.task->group) != nullptr) return false;
  if (deferred_by_policy(thread, spec.tied)) return false;
  bool brief = brief_for(*thread.member, spec.construct());
  if (brief) {
    forget_deferrals(*thread.member);
  } else {
    // Where the order matters, to look further ahead is worth more than to save a queue's work.
    if (thread.member->team->queues_by_data) [[unlikely]]
      return false;
    if (thread.member->tasks.size() < kEnoughAhead) return false;
    if (!task_durations.worth_taking_part(spec.construct())) return false;
  }
  switch (predecessors(thread, spec.depend)) {
    case Predecessors::None:
      return true;
    case Predecessors::Brief:
      return brief && see_off_brief_ones(thread, spec.depend);
    case Predecessors::Some:
      return brief && on_trial(*thread.member) && see_off_brief_ones(thread, spec.depend);
  }
  return false;
}

}  // namespace bobbin
