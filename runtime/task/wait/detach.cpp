// SPDX-License-Identifier: Apache-2.0
#include "task/wait/detach.h"

#include "platform/watchers/happens_before.h"
#include "platform/watchers/strand.h"
#include "sched/workers/pool.h"
#include "task/depend/dependences.h"
#include "task/model/completion.h"
#include "task/model/extras.h"
#include "task/model/tool_events.h"
#include "task/run/execute.h"
#include "task/wait/wait_loop.h"
#include "team/model/thread.h"

namespace bobbin {

constinit Event nobodys_event;

namespace {

// The block of the task may end at the same time. Then it is unspecified which came first.
[[gnu::noinline]] void tell_fulfilment(const Event& event) {
  if (event.task == nullptr) return;
  tool::TaskState* state = state_of(*event.task);
  if (state == nullptr) return;
  const bool early = event.mark.load(relaxed) == Event::Mark::None;
  tell_fulfilled(*state, early ? ompt_task_early_fulfill : ompt_task_late_fulfill);
}

}  // namespace

void fulfill_event(Event& event) {
  if (&event == &nobodys_event) return;
  happens_before(&event);
  if (tool::watched) [[unlikely]]
    tell_fulfilment(event);
  // Everything is read before the exchange, because task and event may be gone after it.
  if (Thread* waiter = event.waiter) {
    event.leave(Event::Mark::Fulfilled);
    resume(*waiter);
    return;
  }
  Task& task = *event.task;
  Team& team = *task.extras->team;
  const Event::Mark before = event.leave(Event::Mark::Fulfilled);
  if (before == Event::Mark::None) return;
  if (before == Event::Mark::Discarded) {
    drop_reference(&task);
    return;
  }
  const Strand strand;  // the fulfilling task does not follow the block
  happens_after(&event);
  Thread& thread = self();
  if (task.extras->node != nullptr) {
    Task* next = make_ready_but_last(thread, release_successors(thread, task));
    if (next != nullptr) make_ready(thread, *next);
  }
  complete(thread, task, team);
}

EventsAdded add_events(Thread& thread, uint32_t count) {
  Task& task = *thread.task;
  TaskExtras* extras = extras_of(task);
  if (extras == nullptr) return EventsAdded::NoMemory;
  Event& event = extras->event;
  if (!extras->detached) {
    extras->detached = true;
    if (extras->team == nullptr) extras->team = thread.member->team;
    event.task = &task;
    event.held.store(1 + count, release);
  } else if (event.held.load(relaxed) == 0) {
    return EventsAdded::HasDetachClause;
  } else {
    event.held.fetch_add(count, relaxed);
  }
  return EventsAdded::Yes;
}

bool fulfill_events(Task& task, uint32_t count) {
  if (task.extras == nullptr) return false;
  Event& event = task.extras->event;  // the task may be gone once the count is less
  if (event.held.load(relaxed) < count) return false;
  if (event.held.fetch_sub(count, acq_rel) == count) fulfill_event(event);
  return true;
}

bool has_events(const Task& task) {
  return task.extras != nullptr && task.extras->event.held.load(acquire) > 1;
}

// The thread is known as the event's waiter from the start. What the event waits for may be tasks
// that come from outside the team, and that nobody else runs.
void await_event(Thread& thread, Event& event) {
  run_tasks_until(
      thread, [&] { return event.mark.load(acquire) == Event::Mark::Fulfilled; }, [] {}, [] {});
  happens_after(&event);
}

}  // namespace bobbin
