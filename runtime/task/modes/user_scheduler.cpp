// SPDX-License-Identifier: Apache-2.0
#include "task/modes/user_scheduler.h"

#include <cstdlib>

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "sched/pool.h"
#include "task/model/continuation.h"
#include "task/model/extras.h"
#include "task/run/modes.h"
#include "team/fork_child.h"

namespace bobbin {
namespace {

using Slot = UserScheduler::Slot;

// --- Handles: the upper half is the use of a slot, the lower half the slot's number plus one.

bobbin_task handle_of(uint32_t uses, uint32_t number) {
  return static_cast<bobbin_task>(uses) << 32 | (number + 1);
}

// The lock is held. False: no memory.
bool has_free_slot(UserScheduler& scheduler) {
  if (scheduler.first_free != 0) return true;
  if (scheduler.slot_count == scheduler.slot_capacity) {
    uint32_t capacity = scheduler.slot_capacity == 0 ? 256 : 2 * scheduler.slot_capacity;
    if (capacity < scheduler.slot_capacity) return false;
    auto* larger = static_cast<Slot*>(realloc(scheduler.slots, capacity * sizeof(Slot)));
    if (larger == nullptr) return false;
    scheduler.slots = larger;
    scheduler.slot_capacity = capacity;
  }
  scheduler.slots[scheduler.slot_count++] = Slot{nullptr, 0, 0};
  scheduler.first_free = scheduler.slot_count;
  return true;
}

// 0: no memory.
bobbin_task new_handle(UserScheduler& scheduler, Task& task) {
  SpinGuard guard(scheduler.lock);
  if (!has_free_slot(scheduler)) return 0;
  uint32_t number = scheduler.first_free - 1;
  Slot& slot = scheduler.slots[number];
  scheduler.first_free = slot.next_free;
  slot.task = &task;
  slot.uses++;
  return handle_of(slot.uses, number);
}

int number_of(const Thread& thread, const Team& team) {
  return thread.member->team == &team ? static_cast<int>(thread.member->num) : -1;
}

void enlist(Team& team, UserScheduler& scheduler) {
  SpinGuard guard(team.scheduler_lock);
  scheduler.next = team.user_schedulers.load(relaxed);
  team.user_schedulers.store(&scheduler, relaxed);
}

void strike_off(Team& team, UserScheduler& scheduler) {
  SpinGuard guard(team.scheduler_lock);
  UserScheduler* before = nullptr;
  UserScheduler* at = team.user_schedulers.load(relaxed);
  for (; at != &scheduler; at = at->next) before = at;
  if (before != nullptr) {
    before->next = scheduler.next;
  } else {
    team.user_schedulers.store(scheduler.next, relaxed);
  }
  scheduler.struck_off = true;
}

bool is_left_alone(Team& team, const UserScheduler& scheduler) {
  SpinGuard guard(team.scheduler_lock);
  return scheduler.visitors == 0 && scheduler.handing.load(acquire) == 0;
}

}  // namespace

Task* redeem(UserScheduler& scheduler, bobbin_task handle) {
  SpinGuard guard(scheduler.lock);
  uint32_t number = static_cast<uint32_t>(handle) - 1;
  if (number >= scheduler.slot_count) return nullptr;
  Slot& slot = scheduler.slots[number];
  if (slot.task == nullptr || handle_of(slot.uses, number) != handle) return nullptr;
  Task* task = slot.task;
  slot.task = nullptr;
  slot.next_free = scheduler.first_free;
  scheduler.first_free = number + 1;
  return task;
}

void count_running(UserScheduler* scheduler) {
  for (; scheduler != nullptr; scheduler = scheduler->outer) {
    scheduler->running.fetch_add(1, acq_rel);
  }
}

void count_not_running(UserScheduler* scheduler) {
  for (; scheduler != nullptr; scheduler = scheduler->outer) {
    scheduler->running.fetch_sub(1, acq_rel);
  }
}

bool set_taskgroup_scheduler(Thread& thread, const bobbin_scheduler& calls, void* user) {
  Taskgroup* group = thread.task->group;
  if (group == nullptr || group->internal || group->owner != &thread) return false;
  if (calls.ready == nullptr || calls.next == nullptr) return false;
  if (group->tasks.load(relaxed) != 0) return false;
  UserScheduler* outer = scheduler_of(group);
  if (outer != nullptr && outer->group == group) return false;
  auto* scheduler = make<UserScheduler>();
  if (scheduler == nullptr) return false;
  scheduler->calls = calls;
  scheduler->user = user;
  scheduler->group = group;
  scheduler->outer = outer;
  stay_on_thread(thread);  // its member counts the owner, to the end of the group
  // The owner is already running, in the outer schedulers too.
  scheduler->running.store(1, relaxed);
  if (thread.member->counted_in == nullptr) count_running(outer);
  scheduler->counted_before = thread.member->counted_in;
  thread.member->counted_in = scheduler;
  group->scheduler = scheduler;
  group->state.fetch_or(kScheduled, relaxed);
  thread.member->team->set_in_mode(true);
  enlist(*thread.member->team, *scheduler);
  return true;
}

void end_scheduler_of(Thread& thread, const Taskgroup& group, UserScheduler& scheduler) {
  if (scheduler.group != &group) return;
  Team& team = *thread.member->team;
  strike_off(team, scheduler);
  while (!is_left_alone(team, scheduler)) {
    expect_others(team);
    if (!yield(thread)) cpu_pause();
  }
  thread.member->counted_in = scheduler.counted_before;
  if (scheduler.counted_before == nullptr) count_not_running(scheduler.outer);
  free(scheduler.slots);
  destroy(&scheduler);
}

void set_task_hint(Thread& thread, uint64_t hint) { thread.member->task_hint = hint; }

bool hand_to_program(Thread& thread, Team& team, UserScheduler& scheduler, Task& task) {
  bobbin_task handle = new_handle(scheduler, task);
  if (handle == 0) return false;
  const TaskExtras& extras = *task.extras;
  bobbin_task_facts facts{sizeof(bobbin_task_facts), extras.priority, extras.advice.hint,
                          reinterpret_cast<const void*>(extras.advice.data.first),
                          reinterpret_cast<const void*>(extras.advice.data.second)};
  scheduler.handing.fetch_add(1, acq_rel);
  scheduler.held.fetch_add(1, acq_rel);
  scheduler.changes.fetch_add(1, acq_rel);
  scheduler.calls.ready(scheduler.user, number_of(thread, team), handle, &facts);
  team.scheduler_has_news.store(true, relaxed);
  scheduler.handing.fetch_sub(1, acq_rel);  // from now on the scheduler may be gone
  return true;
}

WaitsForTasks::WaitsForTasks(Thread& thread)
    : thread_(thread), counted_(thread.member->counted_in) {
  if (counted_ == nullptr) [[likely]]
    return;
  count_not_running(counted_);
  thread.member->counted_in = nullptr;
}

WaitsForTasks::~WaitsForTasks() {
  if (counted_ == nullptr) [[likely]]
    return;
  count_running(counted_);
  thread_.member->counted_in = counted_;
}

}  // namespace bobbin
