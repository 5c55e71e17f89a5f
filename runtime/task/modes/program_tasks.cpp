// SPDX-License-Identifier: Apache-2.0
#include "task/modes/user_scheduler.h"

#include "platform/clocks/clock.h"
#include "platform/diagnostics.h"
#include "sched/workers/pool.h"
#include "task/model/constraint.h"
#include "task/run/execute.h"
#include "task/run/priority.h"
#include "task/run/ready.h"
#include "task/run/sleep.h"

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

}  // namespace

// Goes through the list's schedulers one after the other. Only a visited scheduler is sure to stay,
// so its link is read before the visit ends. If it has been struck off meanwhile, the visitor
// begins anew.
UserScheduler* ProgramMode::visit_first() {
  SpinGuard guard(lock_);
  UserScheduler* scheduler = schedulers_.load(relaxed);
  if (scheduler != nullptr) scheduler->visitors++;
  return scheduler;
}

UserScheduler* ProgramMode::visit_next(UserScheduler& visited) {
  SpinGuard guard(lock_);
  visited.visitors--;
  UserScheduler* scheduler = visited.struck_off ? schedulers_.load(relaxed) : visited.next;
  if (scheduler != nullptr) scheduler->visitors++;
  return scheduler;
}

void ProgramMode::leave(UserScheduler& visited) {
  SpinGuard guard(lock_);
  visited.visitors--;
}

// Executes a task that the scheduler gave. The scheduler is visited and counts the task as running.
void ProgramMode::execute_given(Thread& thread, UserScheduler& scheduler, Task& task) {
  UserScheduler* before = thread.member->counted_in;
  thread.member->counted_in = &scheduler;
  begin_task(thread, task);
  count_not_running(&scheduler);
  thread.member->counted_in = before;
  leave(scheduler);
}

// Its tasks are found last, by run_another().
Task* ProgramMode::find(Thread& /*thread*/) { return nullptr; }

bool ProgramMode::run_another(Thread& thread, Sleep sleep) {
  Team& team = *thread.member->team;
  if (schedulers_.load(relaxed) == nullptr || thread.member->free_agent) return false;
  auto fits = [&](const Task* task) { return may_begin(thread, *task); };
  if (Task* task = pop_by_priority(thread, tasks, fits)) {
    sleep_no_more(thread, sleep);
    execute_given(thread, *scheduler_of(task->group), *task);
    return true;
  }
  // This is cleared first, so that tasks handed over from now on remain news.
  has_news_.store(false, relaxed);
  fence(seq_cst);
  UserScheduler* scheduler = visit_first();
  Task* task = nullptr;
  while (scheduler != nullptr && (task = ask(thread, *scheduler)) == nullptr) {
    scheduler = visit_next(*scheduler);
  }
  if (task == nullptr) return false;
  sleep_no_more(thread, sleep);
  has_news_.store(true, relaxed);
  count_running(scheduler);
  if (fits(task)) {
    execute_given(thread, *scheduler, *task);
  } else {
    // The task stays counted, and the scheduler visited, until another thread has executed it.
    push_by_priority(tasks, *task);
    tell_about_task(thread, team);
  }
  return true;
}

// News of a scheduler that has ended do not count, because nobody would ask and so clear them.
bool ProgramMode::holds(const Team& /*team*/) {
  return !tasks.empty() || (has_news_.load(relaxed) && schedulers_.load(relaxed) != nullptr);
}

// A thread that waits for tasks does not count as running.
void ProgramMode::begin_wait(Thread& thread, WaitNotes& notes) {
  notes.counted = thread.member->counted_in;
  if (notes.counted == nullptr) return;
  count_not_running(notes.counted);
  thread.member->counted_in = nullptr;
}

void ProgramMode::end_wait(Thread& thread, WaitNotes& notes) {
  if (notes.counted == nullptr) return;
  count_running(notes.counted);
  thread.member->counted_in = notes.counted;
}

bool ProgramMode::keeps_back(const Thread& thread) {
  const UserScheduler* scheduler = scheduler_of(thread.task->group);
  return scheduler != nullptr && scheduler->held.load(acquire) > 0;
}

// Ends the program if tasks are lost.
bool ProgramMode::wait(Thread& thread, WaitNotes& notes) {
  if (!keeps_back(thread)) return false;
  const UserScheduler* scheduler = scheduler_of(thread.task->group);
  uint64_t changes = scheduler->changes.load(acquire);
  bool idle = scheduler->running.load(acquire) == 0 && scheduler->handing.load(acquire) == 0;
  if (!idle || changes != notes.changes || notes.since == 0) {
    notes.changes = changes;
    notes.since = idle ? ticks() : 0;
  } else if (ticks() - notes.since > kPatienceUs * ticks_per_us()) {
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
