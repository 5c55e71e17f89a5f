// SPDX-License-Identifier: Apache-2.0
#include "task/run/modes.h"

#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "sched/pool.h"
#include "task/model/constraint.h"
#include "task/modes/user_scheduler.h"
#include "task/run/execute.h"
#include "task/run/priority.h"
#include "task/run/ready.h"

namespace bobbin {
namespace {

constexpr uint64_t kPatienceUs = 1'000'000;
constexpr int kPausesBetweenQuestions = 64;

Task* believe(UserScheduler& scheduler, bobbin_task handle, const char* callback) {
  if (handle == 0) return nullptr;
  Task* task = redeem(scheduler, handle);
  if (task == nullptr) {
    fatal("%s of a taskgroup's scheduler returned %llx, which is no task that it has to give",
          callback, handle);
  }
  scheduler.held.fetch_sub(1, acq_rel);
  scheduler.changes.fetch_add(1, acq_rel);
  return task;
}

Task* ask(const Thread& thread, UserScheduler& scheduler) {
  if (scheduler.held.load(acquire) <= 0) return nullptr;
  int mine = static_cast<int>(thread.member->num);
  int size = static_cast<int>(thread.member->team->size);
  const bobbin_scheduler& calls = scheduler.calls;
  Task* task = believe(scheduler, calls.next(scheduler.user, mine), "next");
  if (calls.steal == nullptr) return task;
  for (int distance = 1; distance < size && task == nullptr; distance++) {
    int victim = (mine + distance) % size;
    task = believe(scheduler, calls.steal(scheduler.user, mine, victim), "steal");
  }
  return task;
}

// Goes through the list's schedulers one after the other. Only a visited scheduler is sure to stay,
// so its link is read before the visit ends. If it has been struck off meanwhile, the visitor
// begins anew.
UserScheduler* visit_first(Team& team) {
  SpinGuard guard(team.scheduler_lock);
  UserScheduler* scheduler = team.user_schedulers.load(relaxed);
  if (scheduler != nullptr) scheduler->visitors++;
  return scheduler;
}

UserScheduler* visit_next(Team& team, UserScheduler& visited) {
  SpinGuard guard(team.scheduler_lock);
  visited.visitors--;
  UserScheduler* scheduler = visited.struck_off ? team.user_schedulers.load(relaxed) : visited.next;
  if (scheduler != nullptr) scheduler->visitors++;
  return scheduler;
}

void leave(Team& team, UserScheduler& visited) {
  SpinGuard guard(team.scheduler_lock);
  visited.visitors--;
}

// Executes a task that the scheduler gave. The scheduler is visited and counts the task as running.
void execute_given(Thread& thread, UserScheduler& scheduler, Task& task) {
  UserScheduler* before = thread.member->counted_in;
  thread.member->counted_in = &scheduler;
  begin_task(thread, task);
  count_not_running(&scheduler);
  thread.member->counted_in = before;
  leave(*thread.member->team, scheduler);
}

}  // namespace

bool run_programs_task(Thread& thread, Sleep sleep) {
  Team& team = *thread.member->team;
  if (team.user_schedulers.load(relaxed) == nullptr || thread.member->free_agent) return false;
  auto fits = [&](const Task* task) { return may_begin(thread, *task); };
  if (Task* task = pop_by_priority(thread, team.set_aside_tasks, fits)) {
    sleep_no_more(thread, sleep);
    execute_given(thread, *scheduler_of(task->group), *task);
    return true;
  }
  // This is cleared first, so that tasks handed over from now on remain news.
  team.scheduler_has_news.store(false, relaxed);
  fence(seq_cst);
  UserScheduler* scheduler = visit_first(team);
  Task* task = nullptr;
  while (scheduler != nullptr && (task = ask(thread, *scheduler)) == nullptr) {
    scheduler = visit_next(team, *scheduler);
  }
  if (task == nullptr) return false;
  sleep_no_more(thread, sleep);
  team.scheduler_has_news.store(true, relaxed);
  count_running(scheduler);
  if (fits(task)) {
    execute_given(thread, *scheduler, *task);
  } else {
    // The task stays counted, and the scheduler visited, until another thread has executed it.
    push_by_priority(team.set_aside_tasks, *task);
    tell_about_task(thread, team);
  }
  return true;
}

bool program_holds_tasks(const Thread& thread) {
  const UserScheduler* scheduler = scheduler_of(*thread.member->team, thread.task->group);
  return scheduler != nullptr && scheduler->held.load(acquire) > 0;
}

bool PatienceWithScheduler::wait(Thread& thread) {
  UserScheduler* scheduler = scheduler_of(*thread.member->team, thread.task->group);
  if (scheduler == nullptr || scheduler->held.load(acquire) <= 0) return false;
  uint64_t changes = scheduler->changes.load(acquire);
  bool idle = scheduler->running.load(acquire) == 0 && scheduler->handing.load(acquire) == 0;
  if (!idle || changes != changes_ || since_ == 0) {
    changes_ = changes;
    since_ = idle ? ticks() : 0;
  } else if (ticks() - since_ > kPatienceUs * ticks_per_us()) {
    fatal(
        "a taskgroup's scheduler has %lld tasks and nothing else is running, but next and steal "
        "give none",
        static_cast<long long>(scheduler->held.load(acquire)));
  }
  if (!yield(thread)) {
    for (int i = 0; i < kPausesBetweenQuestions; i++) cpu_pause();
  }
  return true;
}

}  // namespace bobbin
