// SPDX-License-Identifier: Apache-2.0
#include "task/modes/user_scheduler.h"

#include <cstdlib>

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "task/model/continuation.h"
#include "task/model/extras.h"
#include "task/modes/data_of.h"
#include "team/members/short_wait.h"

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
  auto* mode = begin_mode<ProgramMode>(*thread.member->team);
  auto* scheduler = mode != nullptr ? make<UserScheduler>() : nullptr;
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
  withdraw_permits(*thread.member->team);
  mode->enlist(*scheduler);
  return true;
}

void set_task_hint(Thread& thread, uint64_t hint) { thread.member->task_hint = hint; }

// --- The mode. How its tasks are run: program_tasks.cpp.

void ProgramMode::enlist(UserScheduler& scheduler) {
  SpinGuard guard(lock_);
  scheduler.next = schedulers_.load(relaxed);
  schedulers_.store(&scheduler, relaxed);
}

void ProgramMode::strike_off(UserScheduler& scheduler) {
  SpinGuard guard(lock_);
  UserScheduler* before = nullptr;
  UserScheduler* at = schedulers_.load(relaxed);
  for (; at != &scheduler; at = at->next) before = at;
  if (before != nullptr) {
    before->next = scheduler.next;
  } else {
    schedulers_.store(scheduler.next, relaxed);
  }
  scheduler.struck_off = true;
}

bool ProgramMode::is_left_alone(const UserScheduler& scheduler) {
  SpinGuard guard(lock_);
  return scheduler.visitors == 0 && scheduler.handing.load(acquire) == 0;
}

Deferral ProgramMode::defers(Thread& thread, bool /*tied*/) {
  return scheduler_of(thread.task->group) != nullptr ? Deferral::Always : Deferral::Unsaid;
}

bool ProgramMode::orders(const Thread& thread) {
  return scheduler_of(thread.task->group) != nullptr;
}

bool ProgramMode::needs_extras(const Thread& thread, const TaskSpec& spec) {
  return spec.rare->scope == nullptr && scheduler_of(thread.task->group) != nullptr;
}

void ProgramMode::make(Thread& thread, Task& task, const TaskSpec& spec) {
  if (!needs_extras(thread, spec)) return;
  task.extras->advice = {data_of(spec.depend), thread.member->task_hint};
  thread.member->task_hint = 0;
}

bool ProgramMode::may_go_on(const Thread& /*thread*/, const Task& task) {
  return scheduler_of(task.group) == nullptr;
}

bool ProgramMode::queue(Thread& thread, Team& team, Task& task) {
  UserScheduler* scheduler = scheduler_of(task.group);
  return scheduler != nullptr && hand_over(thread, team, *scheduler, task);
}

bool ProgramMode::hand_over(const Thread& thread, const Team& team, UserScheduler& scheduler,
                            Task& task) {
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
  has_news_.store(true, relaxed);
  scheduler.handing.fetch_sub(1, acq_rel);  // from now on the scheduler may be gone
  return true;
}

void ProgramMode::begin_group(Thread& thread, Taskgroup& group) {
  UserScheduler* scheduler = scheduler_of(thread.task->group);
  if (scheduler == nullptr) return;
  group.scheduler = scheduler;
  group.state.fetch_or(kScheduled, relaxed);
  thread.withdraw_permits();
}

void ProgramMode::end_group(Thread& thread, Taskgroup& group) {
  UserScheduler* scheduler = scheduler_of(&group);
  if (scheduler == nullptr || scheduler->group != &group) return;
  strike_off(*scheduler);
  for (ShortWait wait(thread); !is_left_alone(*scheduler);) wait.pause();
  thread.member->counted_in = scheduler->counted_before;
  if (scheduler->counted_before == nullptr) count_not_running(scheduler->outer);
  free(scheduler->slots);
  destroy(scheduler);
}

// Another thread may have been moving the table of handles to a larger block.
void ProgramMode::go_on_alone(Team& /*team*/) {
  tasks.go_on_alone();
  lock_.free_in_child();
  UserScheduler* scheduler = schedulers_.load(relaxed);
  for (; scheduler != nullptr; scheduler = scheduler->next) {
    if (!scheduler->lock.free_in_child()) continue;
    scheduler->slots = nullptr;
    scheduler->slot_count = scheduler->slot_capacity = scheduler->first_free = 0;
    scheduler->held.store(0, relaxed);
  }
}

}  // namespace bobbin
