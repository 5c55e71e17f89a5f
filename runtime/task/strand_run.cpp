// SPDX-License-Identifier: Apache-2.0
#include "task/ready.h"
#include "task/strand.h"

#include "platform/diagnostics.h"
#include "sched/pool.h"
#include "task/completion.h"
#include "task/constraint.h"
#include "task/execute.h"
#include "task/extras.h"
#include "task/priority.h"
#include "task/taskgroup.h"

namespace bobbin {
namespace {

// --- The switch.

// What the context that the thread has left wants done once it is whole.
enum class Wish : uint8_t {
  Nothing,  // a base
  Queue,    // a parent has made way
  Wait,
  Free,  // the task has ended
};

struct Departure {
  Thread* thread;
  Wish wish = Wish::Nothing;
  Strand* strand = nullptr;
  Atomic<uint32_t>* waiting = nullptr;
};

enum class Queue : bool { Shared, Own };

void queue_strand(Thread& thread, Strand& strand, Queue queue = Queue::Own) {
  Task& task = *strand.task;
  Team& team = *strand.team;
  if (thread.member->team != &team || queue == Queue::Shared ||
      !push_to_queue(*thread.member, task)) {
    if (extras_of(task) == nullptr) fatal("out of memory for the rest of an untied task");
    push_by_priority(team.priority_tasks, task);
  }
  tell_about_task(thread, team);
}

// First thing in a context: makes the one left behind available.
Thread& settle(void* message) {
  // It lies on the stack that was left.
  const Departure left = *static_cast<Departure*>(message);
  switch (left.wish) {
    case Wish::Nothing:
      break;
    case Wish::Queue:
      queue_strand(*left.thread, *left.strand);
      break;
    case Wish::Wait: {
      uint32_t before = left.waiting->fetch_or(kStrandWaiter, acq_rel);
      if (before == 0) queue_strand(*left.thread, *left.strand);
      break;
    }
    case Wish::Free:
      give_strand(*left.thread, *left.strand);
      break;
  }
  return *left.thread;
}

void enter(Thread& thread, Strand& strand) {
  strand.thread = &thread;
  strand.stack->thread_num = static_cast<int>(thread.member->num);
  thread.strand = &strand;
  thread.task = strand.task;
  thread.stack_limit = strand.limit;
  thread.worker->pass_scheduling_point();
}

// `from` is a strand or a base, and so is `to`. The thread pointer stays, but for who runs it: the
// thread may have moved to another worker, never to another TLS block.
template <class From, class To>
Thread& switch_context(From& from, To& to, Departure& departure) {
  exchange_exceptions(from.exceptions, to.exceptions);
  return settle(bobbin_switch_context(&from.sp, to.sp, &departure, departure.thread->tls));
}

// --- A strand's life.

void begin(Thread& thread, Strand& strand, Task& task) {
  strand.function = task.function;
  strand.task = &task;
  strand.team = thread.member->team;
  strand.stays = false;
  strand.exceptions = {};
  if (task.own_stack) {
    task.strand = &strand;
    task.begun = true;
    task.must_run = true;  // cancelled or not, it has to come to its end
  } else {
    task.runner = &thread;
  }
}

// Of what has been queued since the thread began at its base. Tasks of a priority are before it.
Task* next_for(Thread& thread) {
  Member& member = *thread.member;
  Deque<Task>& deque = member.tasks.deque();
  if (deque.bottom().load(relaxed) <= thread.strand_base->queue_end) return nullptr;
  if (!member.team->priority_tasks.empty()) return nullptr;
  return deque.pop_if([](const Task* task) { return !task->tied; });
}

// The strand's task has ended. Returns, on the same strand, if there is another one for it.
[[gnu::noinline]] void end_task(Strand& strand) {
  Thread& thread = *strand.thread;
  // Its descriptor may be gone before others are asked for that descend from the right one.
  thread.task = thread.strand_base->task;
  Completions(thread).add(*strand.task);
  Task* next = next_for(thread);
  StrandBase& base = *thread.strand_base;
  Departure departure{&thread, Wish::Free, &strand};
  if (next != nullptr) {
    if (next->begun) {
      enter(thread, *next->strand);
      switch_context(strand, *next->strand, departure);
      __builtin_unreachable();
    }
    if (next->own_stack && !tasks_cancelled(thread, next->group)) {
      begin(thread, strand, *next);
      enter(thread, strand);
      return;
    }
    base.next = next;
  }
  switch_context(strand, base, departure);
  __builtin_unreachable();
}

void strand_main(void* message) {
  Strand& strand = *settle(message).strand;
  while (true) {
    strand.function(strand.task->data);
    end_task(strand);
  }
}

void prepare(Thread& thread, Strand& strand, Task& task) {
  begin(thread, strand, task);
  strand.sp = make_context(strand.stack->top(), strand_main);
}

void run_on_base(Thread& thread, Strand& strand) {
  StrandBase base{thread.strand_base, thread.strand, thread.task, thread.stack_limit,
                  thread.member->tasks.deque().bottom().load(relaxed)};
  const Task* tied_below = thread.tied_below;
  thread.tied_below = constraining_task(thread);
  thread.strand_base = &base;
  enter(thread, strand);
  Departure departure{&thread};
  switch_context(base, strand, departure);
  thread.strand_base = base.outer;
  thread.strand = base.strand;
  thread.task = base.task;
  thread.stack_limit = base.stack_limit;
  thread.tied_below = tied_below;
  if (base.next != nullptr) begin_task(thread, *base.next);
}

}  // namespace

void tell_strands_missing() {
  static OnceFlag said;
  warn_once(said,
            "BOBBIN_TASK_POLICY: creation=continuation needs to exchange stacks, which cannot be "
            "done here (sanitizer or processor); untied tasks are created as others are");
}

bool run_on_strand(Thread& thread, Task& task) {
  Strand* strand;
  if (task.begun) {
    strand = task.strand;
  } else {
    strand = take_strand(thread);
    if (strand == nullptr) {
      task.own_stack = false;
      return false;
    }
    prepare(thread, *strand, task);
  }
  run_on_base(thread, *strand);
  return true;
}

void run_on_strand(Thread& thread, Strand& strand, Task& task) {
  prepare(thread, strand, task);
  run_on_base(thread, strand);
}

void make_way(Thread& thread, Strand& strand, Task& child) {
  Strand& parent = *thread.strand;
  prepare(thread, strand, child);
  enter(thread, strand);
  Departure departure{&thread, Wish::Queue, &parent};
  switch_context(parent, strand, departure);
}

Thread& leave_until_zero(Thread& thread, Atomic<uint32_t>& waiting) {
  Strand& strand = *thread.strand;
  Departure departure{&thread, Wish::Wait, &strand, &waiting};
  Thread* now;
  Task* next = next_for(thread);
  if (next != nullptr && next->begun) {
    enter(thread, *next->strand);
    now = &switch_context(strand, *next->strand, departure);
  } else {
    thread.strand_base->next = next;
    now = &switch_context(strand, *thread.strand_base, departure);
  }
  waiting.fetch_and(~kStrandWaiter, relaxed);
  return *now;
}

[[gnu::noinline]] void continue_strand(Strand& strand) {
  Thread& thread = self();
  queue_strand(thread, strand, may_begin(thread, *strand.task) ? Queue::Own : Queue::Shared);
}

}  // namespace bobbin
