// SPDX-License-Identifier: Apache-2.0
#include "task/schedule.h"

#include <cstdlib>

#include "sched/pool.h"
#include "task/appetite.h"
#include "task/completion.h"
#include "task/constraint.h"
#include "task/depend.h"
#include "task/descriptor.h"
#include "task/duration.h"
#include "task/extras.h"
#include "task/policy.h"
#include "task/priority.h"
#include "task/strand.h"
#include "task/taskgroup.h"
#include "task/theft.h"
#include "task/transparent_order.h"
#include "task/user_scheduler.h"
#include "team/task_hooks.h"

namespace bobbin {
namespace {

// Takes the oldest task of another thread's deque and, where they are brief, some more, which go
// into the own deque.
template <class Fits>
Found steal_from(Thread& thread, Deque<Task>& victim, Fits&& fits) {
  const uint64_t begin = ticks();
  Member& member = *thread.member;
  unsigned wanted = how_many_to_steal(member, victim.size());
  // Their lines are on their way while the tasks are claimed.
  victim.glance(wanted, [](const Task* task) { prefetch_stolen(task); });
  Task* stolen[kMostAtOnce];
  unsigned count = 0;
  while (count < wanted) {
    Steal result = victim.steal_if(stolen[count], fits);
    if (result == Steal::Success) {
      count++;
    } else if (result != Steal::Lost || count != 0) {
      break;
    }
  }
  if (count == 0) return {};
  uint64_t claimed_in = ticks() - begin;
  if (count == 1) return {stolen[0], 1, claimed_in};
  // So that the thread will take them in the order of their making.
  unsigned queued = 0;
  for (unsigned i = count; --i > 0;) {
    if (member.tasks.push(stolen[i])) {
      queued++;
    } else {
      begin_task(thread, *stolen[i]);  // no memory for the queue
    }
  }
  // On the way they were in no queue: who looked meanwhile has missed them.
  tell_about_task(thread, *member.team);
  return {stolen[0], queued + 1, claimed_in};
}

// Takes a task from where the thread finds one soonest. `fits(const Task*)` says which it may
// begin.
template <class Fits, class TakeTransparent>
Found find_task(Thread& thread, Fits&& fits, TakeTransparent&& take_transparent) {
  Member& member = *thread.member;
  Team& team = *member.team;
  if (Task* task = pop_by_priority(team.priority_tasks, fits)) return {task};
  if (Task* task = member.tasks.deque().pop_if(fits)) {
    learn_from_vain(member);
    return {task};
  }
  if (Task* task = take_transparent()) return {task};
  hold_back(member);
  // From the last victim on; at last oneself: a task that does not fit may lie above one that does.
  unsigned victim = member.next_victim;
  for (unsigned tried = 0; tried < team.size; tried++, victim++) {
    if (victim >= team.size) victim = 0;
    Deque<Task>& deque = team.members[victim]->tasks.deque();
    if (deque.size() == 0 || victim == member.num) continue;
    Found found = steal_from(thread, deque, fits);
    if (found.task == nullptr) continue;
    member.next_victim = victim;
    return found;
  }
  Task* task = nullptr;
  Deque<Task>& own = member.tasks.deque();
  if (own.size() > 0) own.steal_if(task, fits);
  return {task};
}

// mutexinoutset: by no other task. Else that one makes it ready again.
bool not_excluded(Task& task) {
  return task.extras == nullptr || task.extras->node == nullptr || acquire_exclusion(task);
}

[[gnu::noinline]] void execute_elsewhere(Thread& thread, Task& task) {
  struct Call {
    Thread& thread;
    Task& task;
  } call{thread, task};
  call_on_fresh_stack(
      thread,
      [](void* argument) {
        auto* made = static_cast<Call*>(argument);
        execute(made->thread, made->task);
      },
      &call);
}

}  // namespace

void tell_about_task(Thread& thread, Team& team) {
  fence(seq_cst);
  if (!team.tasks_offered.load(relaxed)) {
    team.tasks_offered.store(true, relaxed);
    fence(seq_cst);  // who rests has said so before he looks at the offer
  }
  if (team.barrier.asleep.any() || helpers_idle() || kernel_provider) call_for_tasks(team, thread);
}

bool push_to_queue(Member& member, Task& task) {
  if (member.team->queues_by_data && task.extras != nullptr) [[unlikely]] {
    return member.tasks.push(&task, task.extras->data);
  }
  return member.tasks.push(&task);
}

void make_ready(Thread& thread, Task& task) {
  Team& team = task.extras != nullptr && task.extras->team != nullptr ? *task.extras->team
                                                                      : *thread.member->team;
  bool own_team = thread.member->team == &team;
  if (!team.has_tasks.load(relaxed)) team.has_tasks.store(true, relaxed);
  if (task.in_order) [[unlikely]] {
    push_by_priority(team.transparent_tasks, task);
    tell_about_task(thread, team);
    return;
  }
  if (UserScheduler* scheduler = scheduler_of(team, task.group)) [[unlikely]] {
    if (hand_to_program(thread, team, *scheduler, task)) {
      tell_about_task(thread, team);
      return;
    }
  }
  bool shared =
      task.extras != nullptr && (!own_team || task.extras->priority > 0 ||
                                 (task.tied && team.on_strands) || !may_begin(thread, task));
  if (shared) {
    push_by_priority(team.priority_tasks, task);
  } else if (!push_to_queue(*thread.member, task)) {
    execute(thread, task);  // no memory for the queue: at once, which is in order
    return;
  }
  tell_about_task(thread, team);
}

void begin_task(Thread& thread, Task& task) {
  if (not_excluded(task)) execute(thread, task);
}

namespace {

// Of its own deque, if their parent is told of them together.
constexpr unsigned kMostTogether = 16;

// One after the other without a queue in between; then others may have a turn.
constexpr unsigned kMostHandedOver = 16;

// May this thread, which executed `task`, go on with its successor? Of the same parent, it is
// allowed by the scheduling constraint as the other one was.
bool may_hand_over(const Team& team, const Task& task, const Task& next) {
  return next.extras->team == &team && next.parent == task.parent && !next.in_order &&
         next.extras->priority == 0 && team.priority_tasks.empty() &&
         scheduler_of(team, next.group) == nullptr;
}

// The task's structured block, and what follows from its end. Returns the successor that this
// thread shall go on with, or nullptr.
Task* execute_one(Thread& thread, Task& task, Completions& completions) {
  completions.make_way_for(task);
  Task* previous = thread.task;
  Team& team = *thread.member->team;
  if (!tasks_cancelled(thread, task.group) || task.must_run) {
    if (task.own_stack) [[unlikely]] {
      completions.settle();
      if (run_on_strand(thread, task)) return nullptr;
    }
    auto function = task.function;
    const UntiedBase base(thread, task);
    task.runner = &thread;
    thread.task = &task;
    if (task.extras != nullptr && task.extras->node != nullptr) {
      DurationSample sample(*thread.member);
      function(task.data);
      sample.end(task.extras->construct);
    } else {
      function(task.data);
    }
    thread.task = previous;
  }
  if (task.extras == nullptr) {
    completions.add(task);
    return nullptr;
  }
  if (task.extras->detached && !task.extras->event.second(Event::Mark::BlockEnded)) return nullptr;
  Task* next = task.extras->node != nullptr ? release_successors(thread, task) : nullptr;
  if (next != nullptr && !may_hand_over(team, task, *next)) {
    make_ready(thread, *next);
    next = nullptr;
  }
  completions.add(task);
  return next != nullptr && acquire_exclusion(*next) ? next : nullptr;
}

void execute(Thread& thread, Task& task, Completions& completions) {
  if (stack_nearly_used_up(thread)) [[unlikely]] {
    completions.settle();
    execute_elsewhere(thread, task);
    return;
  }
  Task* next = execute_one(thread, task, completions);
  for (unsigned handed_over = 1; next != nullptr; handed_over++) {
    if (handed_over == kMostHandedOver) {
      make_ready(thread, *next);
      return;
    }
    thread.worker->pass_scheduling_point();
    Member& member = *thread.member;
    if (member.team->queues_by_data) [[unlikely]]
      member.tasks.follow(next->extras->data);
    next = execute_one(thread, *next, completions);
  }
}

// The first of those that it has stolen at once, and as many more from its own deque.
template <class Fits>
void execute_stolen(Thread& thread, Found found, Fits&& fits) {
  Member& member = *thread.member;
  const Team& team = *member.team;
  Completions completions(thread);
  TheftSample sample(found.claimed_in);
  unsigned executed = 0;
  Task* task = found.task;
  while (true) {
    if (not_excluded(*task)) {
      execute(thread, *task, completions);
      executed++;
    }
    if (--found.stolen == 0 || !team.priority_tasks.empty()) break;
    task = member.tasks.deque().pop_if(fits);
    if (task == nullptr) break;
    thread.worker->pass_scheduling_point();
  }
  sample.end(member, executed);
}

}  // namespace

void execute(Thread& thread, Task& task) {
  Completions completions(thread);
  execute(thread, task, completions);
}

namespace {

// Nothing found. Whoever queues a task looks at the offer after a fence, we look at the queues
// after one: a task that we miss, its maker offers again. Who looked at the offer while it was
// withdrawn in error may have gone to sleep.
void withdraw_offer(Thread& thread, Team& team) {
  if (!team.tasks_offered.load(relaxed)) return;
  team.tasks_offered.store(false, relaxed);
  fence(seq_cst);
  if (tasks_queued(team)) tell_about_task(thread, team);
}

// So many that they are not the last ones.
bool enough_with_others(const Member& member) {
  const Team& team = *member.team;
  for (unsigned num = 0; num < team.size; num++) {
    if (num != member.num && team.members[num]->tasks.size() >= kLeastKept) return true;
  }
  return false;
}

bool is_short(const Task& task) {
  return task.extras != nullptr && task_durations.worth_taking_part(task.extras->construct);
}

// Resting kernel threads are called one by one, and until one of them has begun to look, calls for
// further tasks reach the same one again. So who has stolen a task calls for what he leaves.
[[gnu::noinline]] void pass_call_on(Thread& thread, Team& team) {
  fence(seq_cst);  // this thread rests no more: a task made after this look calls another one
  if (tasks_queued(team)) call_for_tasks(team, thread);
}

bool run_a_fitting_task(Thread& thread) {
  thread.worker->pass_scheduling_point();
  Team& team = *thread.member->team;
  auto fits = [&](const Task* task) { return may_begin(thread, *task); };
  auto take_transparent = [&] { return pop_transparent(thread); };
  Found found =
      team.steers_taking ? find_by_policy(thread) : find_task(thread, fits, take_transparent);
  if (found.task == nullptr) {
    if (team.user_schedulers.load(relaxed) != nullptr && run_programs_task(thread)) return true;
    withdraw_offer(thread, team);
    return false;
  }
  if (found.stolen != 0) {
    if (kernel_provider) pass_call_on(thread, team);
    execute_stolen(thread, found, fits);
  } else {
    begin_task(thread, *found.task);
  }
  return true;
}

}  // namespace

bool run_a_task(Thread& thread, bool constrained) {
  if (constrained) return run_a_fitting_task(thread);
  const Task* outer = thread.at_barrier;
  thread.at_barrier = thread.task;
  bool found = run_a_fitting_task(thread);
  thread.at_barrier = outer;
  return found;
}

bool run_short_children(Thread& thread) {
  Member& member = *thread.member;
  Team& team = *member.team;
  if (team.steers_taking || team.on_strands) return false;
  if (member.tasks.size() == 0 && !enough_with_others(member)) return false;
  thread.worker->pass_scheduling_point();
  auto child = [&](const Task* task) { return task->parent == thread.task; };
  Found found = find_task(thread, child, [] { return static_cast<Task*>(nullptr); });
  if (found.task == nullptr) return false;
  if (found.stolen != 0 && is_short(*found.task)) {
    execute_stolen(thread, found, child);
    return true;
  }
  Completions completions(thread);
  unsigned executed = 0;
  for (Task* task = found.task; task != nullptr; task = member.tasks.deque().pop_if(child)) {
    if (!is_short(*task)) {
      make_ready(thread, *task);  // who looked meanwhile has missed it
      break;
    }
    if (not_excluded(*task)) execute(thread, *task, completions);
    thread.worker->pass_scheduling_point();
    if (++executed == kMostTogether) break;
  }
  return executed != 0;
}

bool tasks_queued(const Team& team) {
  if (!team.priority_tasks.empty() || !team.transparent_tasks.empty()) return true;
  if (team.scheduler_has_news.load(relaxed)) return true;
  for (unsigned num = 0; num < team.size; num++) {
    if (team.members[num]->tasks.size() > 0) return true;
  }
  return false;
}

uint64_t tasks_under_way(const Team& team) {
  // Ends first, then beginnings: both only grow, and no task ends before it was made. So equal sums
  // mean that at the moment between the two passes no task was under way.
  uint64_t ended = team.ended_elsewhere.load(acquire);
  for (unsigned num = 0; num < team.size; num++) {
    ended += team.members[num]->tasks_ended.load(acquire);
  }
  uint64_t made = 0;
  for (unsigned num = 0; num < team.size; num++) {
    made += team.members[num]->tasks_made.load(acquire);
  }
  return made - ended;
}

bool tasks_quiescent(const Team& team) { return tasks_under_way(team) == 0; }

namespace {

// Waits for tasks are short or very long, so their mean foretells nothing: spin for as long as a
// sleep and a wake-up would cost (see SpinBudget).
struct TaskWaitSpin {
  static constexpr uint64_t kSleepUs = 20;

  static uint64_t ticks(const SpinLimits& limits) {
    uint64_t most = limits.most.load(relaxed);
    uint64_t sleep = kSleepUs * ticks_per_us();
    return sleep < most ? sleep : most;
  }
  static void learn(uint64_t /*waited*/, const SpinLimits& /*limits*/) {}
};

// While it waits, a thread looks for tasks more and more seldom: each look at a deque holds its
// owner up.
class TaskLooks {
 public:
  bool due() {
    if (++pauses_ < next_) return false;
    next_ = pauses_ + (pauses_ < kMostPauses ? pauses_ : kMostPauses);
    return true;
  }

 private:
  static constexpr unsigned kMostPauses = 32;
  unsigned pauses_ = 0;
  unsigned next_ = 2;
};

}  // namespace

void wait_for_zero(Thread& thread, Atomic<uint32_t>& waiting, uint32_t waiter_bit) {
  Team& team = *thread.member->team;
  auto done = [&] { return (waiting.load(acquire) & ~waiter_bit) == 0; };
  WaitsForTasks waits(thread);
  PatienceWithScheduler patience;
  while (!done()) {
    if (run_a_task(thread, true) || patience.wait(thread)) continue;
    bool found = false;
    TaskLooks looks;
    await(
        thread,
        [&] {
          if (done() || found) return true;
          // The thief of the task that is waited for makes tasks that help it along.
          found = looks.due() && tasks_queued(team) && run_a_task(thread, true);
          return found;
        },
        [&] {
          waiting.fetch_or(waiter_bit, acq_rel);
          team.barrier.asleep.set(thread.member->num);
          fence(seq_cst);
          // Announced, it looks once more: a task queued just before has found nobody to call.
          found = run_a_task(thread, true) || program_holds_tasks(thread);
        },
        TaskWaitSpin{});
    if ((waiting.load(relaxed) & waiter_bit) != 0) waiting.fetch_and(~waiter_bit, acq_rel);
    team.barrier.asleep.claim(thread.member->num);
  }
}

Thread& taskwait(Thread& thread) {
  Task& task = *thread.task;
  if (childless(task)) return thread;
  if (may_leave_thread(thread)) return leave_until_zero(thread, task.children);
  wait_for_zero(thread, task.children, kChildWaiter);
  return thread;
}

void taskyield(Thread& thread) {
  if (thread.member->team->has_tasks.load(relaxed) && run_a_task(thread, true)) return;
  yield(thread);
}

}  // namespace bobbin
