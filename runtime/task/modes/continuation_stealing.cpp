// SPDX-License-Identifier: Apache-2.0
#include "task/modes/continuation_stealing.h"
#include "task/run/ready.h"

#include "platform/clocks/coarse_clock.h"
#include "platform/diagnostics.h"
#include "sched/workers/pool.h"
#include "task/model/completion.h"
#include "task/model/constraint.h"
#include "task/model/extras.h"
#include "task/model/taskgroup.h"
#include "task/modes/continuation_base.h"
#include "task/modes/parents_place.h"
#include "task/modes/watched_continuation.h"
#include "task/run/execute.h"
#include "task/run/priority.h"
#include "task/run/watched_task.h"

namespace bobbin {
namespace {

// --- The switch.

// What is to be done with the context that the thread has left, once all of it is saved.
enum class Wish : uint8_t {
  Nothing,  // a base
  Queue,    // a parent has made way
  Wait,
  Call,  // once_saved() does it
  Free,  // the task has ended
};

struct Departure {
  Thread* thread;
  Wish wish = Wish::Nothing;
  Continuation* continuation = nullptr;
  Atomic<uint32_t>* waiting = nullptr;
  void (*once_saved)(void*) = nullptr;
  void* argument = nullptr;
};

enum class Queue : bool { Shared, Own };

// Puts the rest into the thread's own queue, or into the team's.
void queue_continuation(Thread& thread, Continuation& continuation, Queue queue = Queue::Own) {
  Task& task = *continuation.task;
  Team& team = *continuation.team;
  // A free agent takes nothing from a queue of its own.
  const bool is_own =
      queue == Queue::Own && thread.member->team == &team && !thread.member->free_agent;
  if (!is_own || !push_to_queue(*thread.member, task)) {
    if (extras_of(task) == nullptr) fatal("out of memory for the rest of an untied task");
    push_by_priority(team.priority_tasks, task);
  }
  tell_about_task(thread, team);
}

// The first thing that a context does: it makes the context left behind available.
Thread& settle(void* message) {
  // It lies on the stack that was left.
  const Departure left = *static_cast<Departure*>(message);
  switch (left.wish) {
    case Wish::Nothing:
      break;
    case Wish::Queue:
      queue_continuation(*left.thread, *left.continuation);
      break;
    case Wish::Wait: {
      uint32_t before = left.waiting->fetch_or(kContinuationWaiter, acq_rel);
      if (before != 0) break;
      if (left.continuation->keeps_thread) {
        return_to_thread(*left.continuation);
      } else {
        queue_continuation(*left.thread, *left.continuation);
      }
      break;
    }
    case Wish::Call:
      left.once_saved(left.argument);
      break;
    case Wish::Free:
      give_continuation(*left.thread, *left.continuation);
      break;
  }
  return *left.thread;
}

void enter(Thread& thread, Continuation& continuation) {
  if (tool::watched) [[unlikely]]
    tell_entry(thread, continuation);
  continuation.thread = &thread;
  continuation.stack->thread_num = static_cast<int>(thread.member->num);
  thread.continuation = &continuation;
  thread.task = continuation.task;
  thread.use_stack(continuation.limit);
  thread.worker->pass_scheduling_point();
}

// `from` is a continuation or a base, and so is `to`. The thread pointer stays: the thread may have
// moved to another worker, but never to another TLS block.
template <class From, class To>
Thread& switch_context(From& from, To& to, Departure& departure) {
  exchange_exceptions(from.exceptions, to.exceptions);
  return settle(bobbin_switch_context(&from.sp, to.sp, &departure, departure.thread->tls));
}

// --- A continuation's life.

void begin(Thread& thread, Continuation& continuation, Task& task) {
  continuation.function = task.function;
  continuation.task = &task;
  continuation.team = thread.member->team;
  continuation.stays = false;
  continuation.keeps_thread = thread.member->team->tasks_may_block;
  continuation.exceptions = {};
  if (task.own_stack) {
    task.continuation = &continuation;
    task.begun = true;
    task.must_run = true;  // cancelled or not, it has to come to its end
  } else {
    task.runner = &thread;
  }
}

// The youngest task, if it is untied, that has been queued since the thread began at its base.
// nullptr also if tasks of a priority are queued, which come before it, and if the oldest task is
// to be taken, which the thread does at its base.
Task* next_for(Thread& thread) {
  Member& member = *thread.member;
  if (member.team->icvs.task_policy.order == LocalOrder::Fifo) return nullptr;
  Deque<Task>& deque = member.tasks.deque();
  if (deque.bottom().load(relaxed) <= thread.continuation_base->queue_end) return nullptr;
  if (!member.team->priority_tasks.empty()) return nullptr;
  return deque.pop_if([](const Task* task) { return !task->tied; });
}

// Its successors and what else follows from its end are not known to continuation stealing.
[[gnu::noinline]] void end_blocking_task(Continuation& continuation) {
  Thread& thread = *continuation.thread;
  thread.task = thread.continuation_base->task;
  {
    Completions completions(thread);
    Task* next = end_block(thread, *continuation.task, completions);
    if (next != nullptr) make_ready(thread, *next);
  }
  Departure departure{&thread, Wish::Free, &continuation};
  switch_context(continuation, *thread.continuation_base, departure);
  __builtin_unreachable();
}

// The continuation's task has ended. Returns, on the same continuation, if there is another task
// for it.
[[gnu::noinline]] void end_task(Continuation& continuation) {
  Thread& thread = *continuation.thread;
  Member& member = *thread.member;
  if (member.team->icvs.task_policy.steal == StealOrder::Parent)
    member.next_victim = parents_place(thread);
  if (tool::watched) [[unlikely]]
    tell_end(thread, continuation);
  // The ended task's descriptor may soon be gone. From now on, descent is checked against the
  // base's task.
  thread.task = thread.continuation_base->task;
  Completions(thread).add(*continuation.task);
  Task* next = next_for(thread);
  ContinuationBase& base = *thread.continuation_base;
  Departure departure{&thread, Wish::Free, &continuation};
  if (next != nullptr) {
    if (next->begun) {
      enter(thread, *next->continuation);
      switch_context(continuation, *next->continuation, departure);
      __builtin_unreachable();
    }
    if (next->own_stack && !tasks_cancelled(thread, next->group)) {
      begin(thread, continuation, *next);
      enter(thread, continuation);
      return;
    }
    base.next = next;
  }
  switch_context(continuation, base, departure);
  __builtin_unreachable();
}

void continuation_main(void* message) {
  Continuation& continuation = *settle(message).continuation;
  while (true) {
    if (continuation.keeps_thread) {
      {
        const WatchedTask watched(*continuation.thread, *continuation.task);
        continuation.function(continuation.task->data);
      }
      end_blocking_task(continuation);
    }
    if (tool::watched) [[unlikely]]
      tell_begin(continuation);
    continuation.function(continuation.task->data);
    end_task(continuation);
  }
}

void prepare(Thread& thread, Continuation& continuation, Task& task) {
  begin(thread, continuation, task);
  continuation.sp = make_context(continuation.stack->top(), continuation_main);
}

void run_on_base(Thread& thread, Continuation& continuation) {
  ContinuationBase base{thread.continuation_base, thread.continuation, thread.task,
                        thread.stack_limit, thread.member->tasks.deque().bottom().load(relaxed)};
  base.told = thread.tool.task;
  const Task* tied_below = thread.tied_below;
  const Task* at_barrier = thread.at_barrier;
  const Task* untied_base = thread.untied_base;
  const ompt_state_t state = thread.tool.state;
  thread.tied_below = constraining_task(thread);
  thread.continuation_base = &base;
  enter(thread, continuation);
  Departure departure{&thread};
  switch_context(base, continuation, departure);
  thread.continuation_base = base.outer;
  thread.continuation = base.continuation;
  thread.task = base.task;
  thread.use_stack(base.stack_limit);
  thread.tied_below = tied_below;
  thread.at_barrier = at_barrier;
  thread.untied_base = untied_base;
  thread.tool.state = state;
  if (base.next != nullptr) begin_task(thread, *base.next);
}

}  // namespace

void tell_continuations_missing() {
  static OnceFlag said;
  warn_once(said,
            "BOBBIN_TASK_POLICY: creation=continuation needs to exchange stacks, which cannot be "
            "done here (sanitizer or processor); untied tasks are created as others are");
}

bool run_as_continuation(Thread& thread, Task& task) {
  Continuation* continuation;
  if (task.begun) {
    continuation = task.continuation;
  } else {
    continuation = take_continuation(thread);
    if (continuation == nullptr) {
      task.own_stack = false;
      return false;
    }
    prepare(thread, *continuation, task);
  }
  run_on_base(thread, *continuation);
  return true;
}

void run_as_continuation(Thread& thread, Continuation& continuation, Task& task) {
  prepare(thread, continuation, task);
  run_on_base(thread, continuation);
}

void make_way(Thread& thread, Continuation& continuation, Task& child) {
  Continuation& parent = *thread.continuation;
  if (tool::watched) [[unlikely]]
    tell_return(thread);
  prepare(thread, continuation, child);
  enter(thread, continuation);
  Departure departure{&thread, Wish::Queue, &parent};
  switch_context(parent, continuation, departure);
}

namespace {

// A tool is told that the thread leaves its current task for that of the base, and afterwards that
// it goes on with it, at what may be another base.
class WatchedAbsence {
 public:
  explicit WatchedAbsence(Thread& thread)
      : thread_(thread),
        outermost_(tool::watched ? state_of(*thread.continuation->task) : nullptr) {
    if (outermost_ == nullptr) return;
    left_ = thread.tool.task;
    state_ = thread.tool.state;
    go_to(*outermost_->interrupted);
  }
  WatchedAbsence(const WatchedAbsence&) = delete;
  WatchedAbsence& operator=(const WatchedAbsence&) = delete;
  ~WatchedAbsence() {
    if (outermost_ == nullptr) return;
    outermost_->interrupted = thread_.tool.task;
    go_to(*left_);
    thread_.tool.state = state_;
  }

 private:
  void go_to(tool::TaskState& next) {
    tool::TaskState& current = *thread_.tool.task;
    thread_.tool.task = &next;
    tool::tell(tool::callbacks.task_schedule, &current.data, ompt_task_switch, &next.data);
  }

  Thread& thread_;
  tool::TaskState* outermost_;
  tool::TaskState* left_ = nullptr;
  ompt_state_t state_ = ompt_state_undefined;
};

// The thread goes on at its base. What it was in on this stack is known here.
void leave_and_return(Thread& thread, Departure& departure) {
  Continuation& continuation = *thread.continuation;
  Task* const task = thread.task;
  const char* const stack_limit = thread.stack_limit;
  const Task* const at_barrier = thread.at_barrier;
  const Task* const untied_base = thread.untied_base;
  thread.away++;
  const WatchedAbsence watched(thread);
  continuation.waits_since = coarse_clock.ticks() | 1;
  switch_context(continuation, *thread.continuation_base, departure);
  continuation.waits_since = 0;
  thread.task = task;
  thread.use_stack(stack_limit);
  thread.at_barrier = at_barrier;
  thread.untied_base = untied_base;
}

}  // namespace

void leave_for(Thread& thread, void (*once_saved)(void*), void* argument) {
  Departure departure{&thread, Wish::Call, thread.continuation, nullptr, once_saved, argument};
  leave_and_return(thread, departure);
}

Thread& leave_until_zero(Thread& thread, Atomic<uint32_t>& waiting) {
  Continuation& continuation = *thread.continuation;
  Departure departure{&thread, Wish::Wait, &continuation, &waiting};
  if (continuation.keeps_thread) {
    leave_and_return(thread, departure);
    waiting.fetch_and(~kContinuationWaiter, relaxed);
    return thread;
  }
  Thread* now;
  if (tool::watched) [[unlikely]]
    tell_return(thread);
  Task* next = next_for(thread);
  if (next != nullptr && next->begun) {
    enter(thread, *next->continuation);
    now = &switch_context(continuation, *next->continuation, departure);
  } else {
    thread.continuation_base->next = next;
    now = &switch_context(continuation, *thread.continuation_base, departure);
  }
  waiting.fetch_and(~kContinuationWaiter, relaxed);
  return *now;
}

[[gnu::noinline]] void resume_continuation(Continuation& continuation) {
  if (continuation.keeps_thread) {
    return_to_thread(continuation);
    return;
  }
  Thread& thread = self();
  queue_continuation(thread, continuation,
                     may_begin(thread, *continuation.task) ? Queue::Own : Queue::Shared);
}

}  // namespace bobbin
