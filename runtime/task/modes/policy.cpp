// SPDX-License-Identifier: Apache-2.0
#include "task/modes/policy.h"

#include "task/model/constraint.h"
#include "task/modes/continuation_stealing.h"
#include "task/modes/parents_place.h"
#include "task/modes/transparent_order.h"
#include "task/modes/user_scheduler.h"
#include "task/run/execute.h"
#include "task/run/find.h"
#include "task/run/priority.h"
#include "task/run/ready.h"
#include "task/tuning/defer_limit.h"

namespace bobbin {
namespace {

// --- A taskgroup's policy within Taskgroup::state, beside kOwnState.

constexpr uint64_t kGiven = 2;
constexpr unsigned kCreationShift = 2;
constexpr unsigned kCutoffShift = 4;
constexpr unsigned kBoundShift = 32;

uint64_t pack(const TaskPolicy& policy) {
  return kGiven | static_cast<uint64_t>(policy.creation) << kCreationShift |
         static_cast<uint64_t>(policy.cutoff) << kCutoffShift |
         static_cast<uint64_t>(policy.bound) << kBoundShift;
}

TaskPolicy policy_in_force(const Thread& thread) {
  TaskPolicy policy = thread.member->team->icvs.task_policy;
  uint64_t state = taskgroup_state(thread.task->group);
  if ((state & kGiven) != 0) {
    policy.creation = static_cast<Creation>(state >> kCreationShift & 3);
    policy.cutoff = static_cast<Cutoff>(state >> kCutoffShift & 3);
    policy.bound = static_cast<uint32_t>(state >> kBoundShift);
  }
  return policy;
}

// --- Cutoffs.

constexpr int64_t kLeastFull = 4;
constexpr int64_t kMostFull = 4096;

// How many tasks make the queue full?
int64_t full(const Member& member, const TaskPolicy& policy) {
  int64_t most = is_bounded(policy.queue) ? kBoundedCapacity : kDeferAll;
  int64_t wanted = most;
  if (policy.creation == Creation::Continuation) wanted = kMostContinuations;
  if (policy.cutoff == Cutoff::Tasks) wanted = policy.bound;
  if (policy.cutoff == Cutoff::Adaptive) wanted = member.tuning.full_at;
  return wanted < most ? wanted : most;
}

// Between full and 30 % empty, did thieves or the owner make room? If thieves did, more tasks are
// worth making. If the owner did, fewer would have been enough.
void learn_how_many(Member& member, int64_t emptied) {
  int64_t stolen = member.tasks.stolen() - member.tuning.stolen_when_full;
  if (2 * stolen >= emptied) {
    member.tuning.full_at =
        2 * member.tuning.full_at < kMostFull ? 2 * member.tuning.full_at : kMostFull;
  } else if (stolen == 0) {
    member.tuning.full_at =
        member.tuning.full_at / 2 > kLeastFull ? member.tuning.full_at / 2 : kLeastFull;
  }
}

// Hysteresis: throttling begins when the queue is full and ends when three tenths of it are empty,
// so that it does not switch with every task.
bool throttled(Member& member, const TaskPolicy& policy, int64_t queued) {
  int64_t most = full(member, policy);
  if (!member.tuning.throttled) {
    if (queued < most) return false;
    member.tuning.throttled = true;
    member.tuning.stolen_when_full = member.tasks.stolen();
    return true;
  }
  if (10 * queued > 7 * most) return true;
  member.tuning.throttled = false;
  if (policy.cutoff == Cutoff::Adaptive) learn_how_many(member, most - queued);
  return false;
}

// --- Stealing.

// A thief that has one task takes more to its own queue, for itself and for thieves nearer to it.
template <class Fits>
void steal_more(Thread& thread, TaskQueue<Task>& victim, QueueEnd end, int64_t most,
                const Fits& fits) {
  TaskQueue<Task>& mine = thread.member->tasks;
  int64_t moved = 0;
  for (; moved < most; moved++) {
    Task* task = victim.steal(end, mine, fits);
    if (task == nullptr) break;
    if (!push_to_queue(*thread.member, *task)) {
      begin_task(thread, *task);  // no memory for the queue
      break;
    }
  }
  // On the way they were in no queue, so a thread that looked meanwhile has missed them.
  if (moved != 0) tell_about_task(thread, *thread.member->team);
}

// How many to steal besides the first one, from a queue that still holds `queued` tasks.
int64_t how_many_more(const Member& member, const TaskPolicy& policy, int64_t queued) {
  constexpr int64_t kMost = 64;
  if (policy.amount == StealAmount::One) return 0;
  if (policy.amount == StealAmount::Adaptive) {
    // If tasks are queued by data, those that follow may well be of other data.
    return policy.queue == QueueKind::Data ? 0 : how_many_to_steal(member, queued) - 1;
  }
  return queued / 2 < kMost ? queued / 2 : kMost;
}

}  // namespace

bool makes_continuations(const Thread& thread) {
  if (!thread.member->team->steals_continuations || scheduler_of(thread.task->group) != nullptr)
    return false;
  return policy_in_force(thread).creation == Creation::Continuation;
}

bool more_continuations_wanted(Thread& thread) {
  const TaskPolicy policy = policy_in_force(thread);
  if (policy.cutoff == Cutoff::Level && thread.task->depth >= policy.bound) return false;
  Member& member = *thread.member;
  return !throttled(member, policy, member.tasks.size());
}

bool policy_defers(Thread& thread, bool tied) {
  if (scheduler_of(thread.task->group) != nullptr) return true;
  const TaskPolicy policy = policy_in_force(thread);
  if (policy.cutoff == Cutoff::Level && thread.task->depth >= policy.bound) return false;
  const Team& team = *thread.member->team;
  Member& member = *thread.member;
  const bool shared = tied && team.steals_continuations;  // such tasks go into the team's queue
  const int64_t queued = shared ? team.priority_tasks.size.load(relaxed) : member.tasks.size();
  if (throttled(member, policy, queued)) return false;
  switch (policy.creation) {
    case Creation::Adaptive:
      return shared ? queued == 0 : !is_enough(member, queued);
    case Creation::BreadthFirst:
      return true;
    case Creation::WorkFirst:
      return queued == 0;
    case Creation::Continuation:
      if (!team.steals_continuations) tell_continuations_missing();
      return queued < (shared ? 1 : kLowestDeferLimit);
  }
  return true;
}

bool policy_defers_all(const Thread& thread) {
  return scheduler_of(thread.task->group) != nullptr ||
         policy_in_force(thread).creation == Creation::BreadthFirst;
}

// First the data that the task writes, because its successors will share these results. Then the
// data that it reads.
DataNames data_of(const DependList& depend) {
  DataNames names;
  for (size_t i = 0; i < depend.count && names.first == 0; i++) {
    if (depend.items[i].kind != DependKind::In) names.first = depend.items[i].address;
  }
  for (size_t i = 0; i < depend.count && names.second == 0; i++) {
    uintptr_t name = depend.items[i].address;
    if (name == names.first) continue;
    (names.first == 0 ? names.first : names.second) = name;
  }
  return names;
}

Found find_by_policy(Thread& thread) {
  Member& member = *thread.member;
  Team& team = *member.team;
  const TaskPolicy& policy = team.icvs.task_policy;
  auto fits = [&](const Task* found) { return may_begin(thread, *found); };
  if (Task* task = pop_by_priority(thread, team.priority_tasks, fits)) return {task};
  const bool fifo = policy.order == LocalOrder::Fifo;
  const QueueEnd near_end = fifo ? QueueEnd::Oldest : QueueEnd::Youngest;
  if (Task* task = member.tasks.take(near_end, fits)) {
    learn_from_vain(thread);
    return {task};
  }
  if (Task* task = pop_transparent(thread)) return {task};
  pause_before_steal(thread);
  QueueEnd far_end = policy.steal == StealOrder::Lifo ? QueueEnd::Youngest : QueueEnd::Oldest;
  const int here = whereabouts.note(thread.worker->index);
  if (member.processor != here) member.processor = here;  // others read the line
  Task* stolen = nullptr;
  auto where = [&](unsigned num) -> int { return team.members[num]->processor; };
  auto rob = [&](unsigned num) {
    const Member& victim = *team.members[num];
    TaskQueue<Task>& queue = team.members[num]->tasks;
    if (num == member.num || queue.size() == 0) return false;
    stolen = queue.steal(far_end, member.tasks, fits);
    if (stolen == nullptr) return false;
    member.next_victim = num;
    count_taken(*thread.worker, victim.processor);
    auto sibling = [&](const Task* next) { return are_siblings(*stolen, *next) && fits(next); };
    steal_more(thread, queue, far_end, how_many_more(member, policy, queue.size()), sibling);
    return true;
  };
  const unsigned first =
      policy.steal == StealOrder::Parent ? parents_place(thread) : member.next_victim;
  if (ask_nearest_first(whereabouts.distance(), here, team.size, first < team.size ? first : 0,
                        where, rob)) {
    return {stolen, 1};
  }
  // At last the other end of the own queue, because a task that fits may lie behind one that does
  // not: the children that the thread waits for are its youngest tasks.
  return {member.tasks.take(fifo ? QueueEnd::Youngest : QueueEnd::Oldest, fits)};
}

bool set_taskgroup_policy(Thread& thread, std::string_view text) {
  Taskgroup* group = program_group(thread.task->group);
  if (group == nullptr) return false;
  const TaskPolicy before_it = policy_in_force(thread);
  TaskPolicy policy = before_it;
  if (!read_task_policy(text, PolicyPart::Creation, policy)) return false;
  // Stealing of continuations concerns all of the team's queues, so a taskgroup cannot switch it
  // on.
  bool asks_for_continuations =
      policy.creation == Creation::Continuation && before_it.creation != Creation::Continuation;
  if (asks_for_continuations && !thread.member->team->steals_continuations) return false;
  uint64_t before = group->state.load(relaxed);
  while (!group->state.compare_exchange_weak(before, (before & kOwnState) | pack(policy), relaxed,
                                             relaxed)) {
  }
  return true;
}

}  // namespace bobbin
