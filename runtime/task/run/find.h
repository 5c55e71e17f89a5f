// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/pool.h"
#include "task/model/completion.h"
#include "task/run/execute.h"
#include "task/run/priority.h"
#include "task/run/ready.h"
#include "task/tuning/defer_limit.h"
#include "task/tuning/steal.h"
#include "tool/own_events.h"

// Where a thread looks for a task to execute, under the default policy (others: find_by_policy).
namespace bobbin {

// A task for a thread to execute.
struct Found {
  Task* task = nullptr;
  unsigned stolen = 0;      // so many were, this one included; the others are in the own deque
  uint64_t claimed_in = 0;  // ticks, if stolen
};

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

// Takes a task from where the thread finds one soonest. `fits(const Task*)` says which tasks it may
// begin. `completions` are of those that it has executed just before. `beside` gives a task that is
// in no deque, or nullptr.
template <class Fits, class Beside>
Found find_task(Thread& thread, Fits&& fits, Completions& completions, Beside&& beside) {
  Member& member = *thread.member;
  Team& team = *member.team;
  if (Task* task = pop_by_priority(thread, team.priority_tasks, fits)) return {task};
  if (Task* task = member.tasks.deque().pop_if(fits)) {
    learn_from_vain(thread);
    return {task};
  }
  if (Task* task = beside()) return {task};
  if (pauses_before_steal(member)) [[unlikely]]
    completions.settle();
  pause_before_steal(thread);
  // The last victim first, because tasks usually come from where there are many, and then the
  // nearest. The own deque comes last: a task that does not fit may lie above one that does.
  const int here = whereabouts.note(thread.worker->index);
  if (member.processor != here) member.processor = here;  // others read the line
  Found found;
  auto where = [&](unsigned num) -> int { return team.members[num]->processor; };
  auto rob = [&](unsigned num) {
    Member& victim = *team.members[num];
    if (victim.tasks.deque().size() == 0 || num == member.num) return false;
    found = steal_from(thread, victim, fits, completions);
    if (found.task == nullptr) return false;
    member.next_victim = num;
    count_taken(*thread.worker, victim.processor);
    return true;
  };
  const unsigned first = member.next_victim < team.size ? member.next_victim : 0;
  if (team.tasks_offered.load(relaxed) &&
      ask_nearest_first(whereabouts.distance(), here, team.size, first, where, rob)) {
    return found;
  }
  Deque<Task>& own = member.tasks.deque();
  return {own.size() > 0 ? own.take_oldest_if(fits) : nullptr};
}

template <class Fits>
Found find_task(Thread& thread, Fits&& fits, Completions& completions) {
  return find_task(thread, fits, completions, [] { return static_cast<Task*>(nullptr); });
}

}  // namespace bobbin
