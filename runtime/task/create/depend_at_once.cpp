// SPDX-License-Identifier: Apache-2.0
#include "task/create/depend_at_once.h"

#include "task/depend/dependences.h"
#include "task/model/extras.h"
#include "task/run/execute.h"
#include "task/run/modes.h"
#include "task/tuning/duration.h"
#include "task/tuning/limits.h"

namespace bobbin {
namespace {

TaskFunction construct_of(const Task& task) {
  return task.extras != nullptr ? task.extras->construct : task.function;
}

// Runs the youngest task of the thread's deque if it is a brief child of the current task. It
// leaves all others where they are: a task that is put back is younger than before, and would be
// taken for one that was queued meanwhile (ContinuationBase::queue_end).
bool run_brief_child(Thread& thread) {
  Deque<Task>& tasks = thread.member->tasks.deque();
  Task* task = tasks.pop_if([&](const Task* youngest) { return youngest->parent == thread.task; });
  if (task == nullptr) return false;
  if (is_brief(thread.member->tuning, construct_of(*task))) {
    begin_task(thread, *task);
    return true;
  }
  queue_or_begin(thread, *task);  // a thread that looked meanwhile has missed it
  return false;
}

// Executes brief children, or waits while others do, until nothing is left that the task depends
// on. False: no sibling has completed for kStallUs.
bool see_predecessors_off(Thread& thread, const DependList& depend) {
  const uint64_t patience = kStallUs * ticks_per_us();
  uint64_t last_progress = ticks();
  uint32_t children_seen = 0;
  while (predecessors(thread, depend, Predecessors::Brief) != Predecessors::None) {
    bool progress = run_brief_child(thread);
    if (!progress) {
      for (int i = 0; i < kPausesBetweenLooks; i++) cpu_pause();
      const uint32_t children = thread.task->children.load(relaxed);
      progress = children != children_seen;
      children_seen = children;
    }
    const uint64_t now = ticks();
    if (progress) {
      last_progress = now;
    } else if (now - last_progress > patience) {
      return false;
    }
  }
  return true;
}

bool stall(Thread& thread, const DependList& depend) {
  TaskTuning& tuning = thread.member->tuning;
  if (!enabled(Heuristic::SeeOff)) return false;
  if (tuning.stalls_to_skip > 0) {
    tuning.stalls_to_skip--;
    return false;
  }
  thread.worker->counts.ask(Heuristic::SeeOff, true);
  if (see_predecessors_off(thread, depend)) {
    tuning.failed_stalls = 0;
    return true;
  }
  thread.worker->counts.regret(Heuristic::SeeOff);
  const unsigned failed = 2 * tuning.failed_stalls + 1;
  tuning.failed_stalls = failed < kMostStallsSkipped ? failed : kMostStallsSkipped;
  tuning.stalls_to_skip = tuning.failed_stalls;
  return false;
}

// A task may have been deferred before its construct was known as brief. All tasks that follow it
// then count as having longer predecessors. So now and then a task with such predecessors is tried.
bool on_trial(TaskTuning& tuning) { return ++tuning.stall_trials % kTrialInterval == 0; }

}  // namespace

bool runs_at_once(Thread& thread, const TaskSpec& spec) {
  if (spec.rare->impex != Impex::None) return false;
  if (deferral_in_mode(thread, spec.tied) >= Deferral::Yes) return false;
  const bool brief = treated_as_brief(thread, spec.construct());
  thread.worker->counts.ask(Heuristic::BriefAtOnce, brief);
  if (!brief) return false;
  forget_deferrals(thread.member->tuning);
  switch (predecessors(thread, spec.depend)) {
    case Predecessors::None:
      return true;
    case Predecessors::Brief:
      return stall(thread, spec.depend);
    case Predecessors::Some:
      return on_trial(thread.member->tuning) && stall(thread, spec.depend);
  }
  return false;
}

}  // namespace bobbin
