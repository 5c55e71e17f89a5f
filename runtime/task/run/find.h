// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/pool.h"
#include "task/model/completion.h"
#include "task/run/execute.h"
#include "task/run/found.h"
#include "task/run/priority.h"
#include "task/run/ready.h"
#include "task/tuning/defer_limit.h"
#include "task/tuning/steal.h"
#include "tool/own_events.h"

// Where a thread looks for a task to execute.
namespace bobbin {

static_assert(static_cast<int>(Nearness::Unknown) == bobbin_distance_unknown &&
              static_cast<int>(Nearness::Machine) == bobbin_distance_machine);

inline void tell_steal(const Member& thief, const Member& victim, unsigned tasks) {
  Thread* owner = victim.thread;
  const Nearness near = whereabouts.nearness(thief.processor, victim.processor);
  tool::tell(tool::own_callbacks.steal, owner != nullptr ? &owner->tool.data : nullptr, tasks,
             static_cast<bobbin_distance_t>(near));
}

// Takes the oldest task of another thread's deque and, if the tasks are brief, some more, which go
// into the own deque.
template <class Fits>
Found steal_from(Thread& thread, Member& robbed, Fits&& fits, Completions& completions) {
  Deque<Task>& victim = robbed.tasks.deque();
  const uint64_t begin = ticks();
  Member& member = *thread.member;
  unsigned wanted = how_many_to_steal(member, victim.size());
  thread.worker->counts.ask(Heuristic::StealMany, wanted > 1);
  // Their lines are fetched while the tasks are claimed.
  victim.glance(wanted, [](const Task* task) { prefetch_stolen(task); });
  Task* stolen[kMostAtOnce];
  stolen[0] = nullptr;
  auto in_family = [&](const Task* next) {
    return (stolen[0] == nullptr || are_siblings(*stolen[0], *next)) && fits(next);
  };
  unsigned count = victim.steal_some(stolen, wanted, in_family);
  if (tool::watched) [[unlikely]]
    tell_steal(member, robbed, count);
  if (count == 0) return {};
  uint64_t claimed_in = ticks() - begin;
  if (count == 1) return {stolen[0], 1, claimed_in};
  // In reverse, so that the thread will take them in the order in which they were made.
  unsigned queued = 0;
  for (unsigned i = count; --i > 0;) {
    if (member.tasks.push(stolen[i])) {
      queued++;
    } else {
      begin_task(thread, *stolen[i], completions);  // no memory for the queue
    }
  }
  // On the way they were in no queue, so a thread that looked meanwhile has missed them.
  tell_about_task(thread, *member.team);
  return {stolen[0], queued + 1, claimed_in};
}

// How the members' queues are used by default: the owner takes the youngest task, a thief the
// oldest.
struct Deques {
  template <class Fits>
  static Task* take(Member& member, Fits&& fits) {
    return member.tasks.deque().pop_if(fits);
  }
  // For the owner, at the other end, because a task that does not fit may lie above one that does.
  template <class Fits>
  static Task* take_last(Member& member, Fits&& fits) {
    Deque<Task>& own = member.tasks.deque();
    return own.size() > 0 ? own.take_oldest_if(fits) : nullptr;
  }
  // Tasks usually come from where there are many.
  static unsigned first_victim(const Thread& thread) { return thread.member->next_victim; }
  static bool is_empty(Member& victim) { return victim.tasks.deque().size() == 0; }
  template <class Fits>
  static Found steal(Thread& thread, Member& robbed, Fits&& fits, Completions& completions) {
    return steal_from(thread, robbed, fits, completions);
  }
};

// Takes a task from where the thread finds one soonest. `fits(const Task*)` says which tasks it may
// begin. `completions` are of those that it has executed just before. `queues` says how the
// members' queues are used, as Deques does. `beside` gives a task that is in none of them, or
// nullptr.
template <class Fits, class Queues, class Beside>
Found find_task(Thread& thread, Fits&& fits, Completions& completions, const Queues& queues,
                Beside&& beside) {
  Member& member = *thread.member;
  Team& team = *member.team;
  if (Task* task = pop_by_priority(thread, team.priority_tasks, fits)) return {task};
  if (Task* task = queues.take(member, fits)) {
    learn_from_vain(thread);
    return {task};
  }
  if (Task* task = beside()) return {task};
  if (pauses_before_steal(member)) [[unlikely]]
    completions.settle();
  pause_before_steal(thread);
  // The first victim, and then the nearest.
  const int here = whereabouts.note(thread.worker->index);
  if (member.processor != here) member.processor = here;  // others read the line
  Found found;
  auto where = [&](unsigned num) -> int { return team.members[num]->processor; };
  auto rob = [&](unsigned num) {
    Member& victim = *team.members[num];
    if (queues.is_empty(victim) || num == member.num) return false;
    found = queues.steal(thread, victim, fits, completions);
    if (found.task == nullptr) return false;
    victim.thread->in_place.withdraw_from_outside();  // it may have too few now
    member.next_victim = num;
    count_taken(*thread.worker, victim.processor);
    return true;
  };
  const unsigned wanted = queues.first_victim(thread);
  const unsigned first = wanted < team.size ? wanted : 0;
  if (team.tasks_offered.load(relaxed) &&
      ask_nearest_first(whereabouts.distance(), here, team.size, first, where, rob)) {
    return found;
  }
  return {queues.take_last(member, fits)};
}

// The same where no mode takes part.
template <class Fits>
Found find_task(Thread& thread, Fits&& fits, Completions& completions) {
  return find_task(thread, fits, completions, Deques(), [] { return static_cast<Task*>(nullptr); });
}

}  // namespace bobbin
