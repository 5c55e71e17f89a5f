// SPDX-License-Identifier: Apache-2.0
#include "task/modes/policy.h"

#include "task/model/constraint.h"
#include "task/modes/continuation_stealing.h"
#include "task/modes/data_of.h"
#include "task/modes/parents_place.h"
#include "task/run/execute.h"
#include "task/run/find_in_mode.h"
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
  int64_t most = is_bounded(policy.queue) ? policy.places : kDeferAll;
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
                const Fits& fits, Completions& completions) {
  TaskQueue<Task>& mine = thread.member->tasks;
  int64_t moved = 0;
  for (; moved < most; moved++) {
    Task* task = victim.steal(end, mine, fits);
    if (task == nullptr) break;
    if (!push_to_queue(*thread.member, *task)) {
      begin_task(thread, *task, completions);  // no memory for the queue
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

// How the policy uses the members' queues. Unlike the default (Deques, task/run/find.h), these need
// not be deques.
class PolicyQueues {
 public:
  explicit PolicyQueues(const TaskPolicy& policy)
      : policy_(policy), fifo_(policy.order == LocalOrder::Fifo) {}

  template <class Fits>
  Task* take(Member& member, const Fits& fits) const {
    return member.tasks.take(fifo_ ? QueueEnd::Oldest : QueueEnd::Youngest, fits);
  }
  // The children that the thread waits for are its youngest tasks.
  template <class Fits>
  Task* take_last(Member& member, const Fits& fits) const {
    return member.tasks.take(fifo_ ? QueueEnd::Youngest : QueueEnd::Oldest, fits);
  }
  unsigned first_victim(const Thread& thread) const {
    return policy_.steal == StealOrder::Parent ? parents_place(thread) : thread.member->next_victim;
  }
  static bool is_empty(const Member& victim) { return victim.tasks.size() == 0; }
  template <class Fits>
  Found steal(Thread& thread, Member& robbed, const Fits& fits, Completions& completions) const {
    const QueueEnd end = policy_.steal == StealOrder::Lifo ? QueueEnd::Youngest : QueueEnd::Oldest;
    Task* stolen = robbed.tasks.steal(end, thread.member->tasks, fits);
    if (stolen == nullptr) return {};
    auto sibling = [&](const Task* next) { return are_siblings(*stolen, *next) && fits(next); };
    const int64_t more = how_many_more(*thread.member, policy_, robbed.tasks.size());
    steal_more(thread, robbed.tasks, end, more, sibling, completions);
    return {stolen, 1};
  }

 private:
  const TaskPolicy& policy_;
  const bool fifo_;
};

}  // namespace

bool makes_continuations(const Thread& thread) {
  return steals_continuations(*thread.member->team) &&
         policy_in_force(thread).creation == Creation::Continuation;
}

bool more_continuations_wanted(Thread& thread) {
  const TaskPolicy policy = policy_in_force(thread);
  if (policy.cutoff == Cutoff::Level && thread.task->depth >= policy.bound) return false;
  Member& member = *thread.member;
  return !throttled(member, policy, member.tasks.size());
}

bool policy_defers(Thread& thread, bool tied) {
  const TaskPolicy policy = policy_in_force(thread);
  if (policy.cutoff == Cutoff::Level && thread.task->depth >= policy.bound) return false;
  const Team& team = *thread.member->team;
  Member& member = *thread.member;
  const bool shared = tied && steals_continuations(team);  // such tasks go into the team's queue
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
      if (!steals_continuations(team)) tell_continuations_missing();
      return queued < (shared ? 1 : kLowestDeferLimit);
  }
  return true;
}

// --- The mode.

void begin_policy(Team& team) {
  const TaskPolicy& policy = team.icvs.task_policy;
  if (!policy.steered || begin_mode<PolicyMode>(team) == nullptr) return;
  team.decided_by_mode = policy.steers_creation();
}

Deferral PolicyMode::defers(Thread& thread, bool tied) {
  const bool is_given = (taskgroup_state(thread.task->group) & kGiven) != 0;
  if (!thread.member->team->decided_by_mode && !is_given) return Deferral::Unsaid;
  if (!policy_defers(thread, tied)) return Deferral::No;
  return policy_in_force(thread).creation == Creation::BreadthFirst ? Deferral::Always
                                                                    : Deferral::Yes;
}

void PolicyMode::make(Thread& thread, Task& task, const TaskSpec& spec) {
  if (task.extras != nullptr && thread.member->team->icvs.task_policy.queue == QueueKind::Data)
    task.extras->advice.data = data_of(spec.depend);
}

void PolicyMode::follow(Thread& thread, const Task& task) {
  if (thread.member->team->icvs.task_policy.queue == QueueKind::Data)
    thread.member->tasks.follow(task.extras->advice.data);
}

bool PolicyMode::searches(const Thread& thread) {
  return thread.member->team->icvs.task_policy.steers_taking();
}

Found PolicyMode::search(Thread& thread, Completions& completions) {
  return find_task(
      thread, [&](const Task* task) { return may_begin(thread, *task); }, completions,
      PolicyQueues(thread.member->team->icvs.task_policy), [&] { return find_beside(thread); });
}

void PolicyMode::arrange(Member& member) {
  const TaskPolicy& policy = member.team->icvs.task_policy;
  member.arranged_by = this;
  // The one of the cache below which the member's thread runs.
  const int processor = whereabouts.of(member.thread->worker->index);
  DataQueue<Task>* by_data = policy.queue == QueueKind::Data
                                 ? data_lists_.of(whereabouts.distance().cache_of(processor))
                                 : nullptr;
  member.tasks.use(policy.queue, by_data, policy.places);
  if (member.team->serial()) return;
  if (policy.creation == Creation::BreadthFirst || policy.creation == Creation::Continuation) {
    member.defer_limit = kDeferAll;  // each task is examined
  }
  if (policy.creation == Creation::WorkFirst) member.defer_limit = 1;
}

void PolicyMode::let_go(Member& member) {
  member.tasks.use(QueueKind::Deque);
  member.tuning.throttled = false;
}

void PolicyMode::go_on_alone(Team& team) {
  tasks.go_on_alone();
  data_lists_.go_on_alone([&](const DataQueue<Task>& list) {
    for (unsigned num = 0; num < team.size; num++) team.members[num]->tasks.abandon(list);
  });
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
  if (asks_for_continuations && !steals_continuations(*thread.member->team)) return false;
  if (begin_mode<PolicyMode>(*thread.member->team) == nullptr) return false;
  uint64_t before = group->state.load(relaxed);
  while (!group->state.compare_exchange_weak(before, (before & kOwnState) | pack(policy), relaxed,
                                             relaxed)) {
  }
  withdraw_permits(*thread.member->team);
  return true;
}

}  // namespace bobbin
