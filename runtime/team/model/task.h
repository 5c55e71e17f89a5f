// SPDX-License-Identifier: Apache-2.0
// The descriptor of a task. It lies here because members have implicit tasks and threads a current
// one; its rules are those of task/.
#pragma once

#include <cstddef>
#include <cstdint>

#include "env/icv.h"
#include "platform/atomic.h"

namespace bobbin {

struct Thread;
struct Team;
struct Taskgroup;
struct TaskExtras;
struct Continuation;

enum class TaskKind : uint8_t {
  Implicit,    // of a member of a team, or of the initial thread; lives in the member
  Undeferred,  // its creator waits for it; lives on the creator's stack, or behind prepared data
  Promoted,    // was Undeferred, has moved to the heap; see moved_to
  Deferred,    // lives on the heap, ahead of its data
};

// A task's descriptor: its place in the tree of tasks and its data environment. 64 bytes.
//
// There are two counts, because two things may have to wait for the children. `children` counts
// those that have not completed (taskwait). `references` counts the descriptors that point here,
// and the task itself until it has completed (memory: the scheduling constraint walks up the tree).
// Only Deferred tasks are freed by the last reference. An Undeferred task is moved to the heap
// before its first child is deferred (task/model/promotion.h). So only descriptors of undeferred
// tasks that the same thread runs above it ever refer to a descriptor on a stack.
//
// Descriptors on the heap are type-stable memory: a thief looks at `parent`, `depth` and `tied` of
// tasks that may be gone, and only after that claims the task from which it started
// (task/model/constraint.h).
struct Task {
  Task() = default;
  // A constant task, which nobody executes.
  constexpr explicit Task(std::nullptr_t) : function(nullptr), data(nullptr) {}
  // Undeferred, one level below `above`. The fields that it needs only once promoted stay unset.
  Task(Task& above, bool is_final, bool is_tied)
      : group(above.group),
        icvs(above.icvs),
        parent(&above),
        depth(above.depth + 1),
        kind(TaskKind::Undeferred),
        final_task(is_final || above.final_task),
        tied(is_tied) {}  // NOLINT(*UninitializedObject): not needed here, and a store each

  // The same for a task on the heap.
  void inherit(Task& above, bool is_final, bool is_tied) {
    parent = &above;
    group = above.group;
    icvs = above.icvs;
    depth = above.depth + 1;
    final_task = is_final || above.final_task;
    tied = is_tied;
  }

  union {
    void (*function)(void*);     // until it begins
    Thread* runner;              // after that: the thread that executes it
    Continuation* continuation;  // or, with own_stack, the continuation that it runs as
  };
  void* data;
  // The next two are copied together, in one half of a cache line.
  Taskgroup* group = nullptr;       // innermost taskgroup region it belongs to
  const Icvs* icvs = nullptr;       // of its data environment; shared until written
  Followed<Task*> parent{nullptr};  // or a farther ancestor, once completed: task/model/ancestry.h
  union {
    TaskExtras* extras = nullptr;  // what few tasks have: dependences, detach, priority, own ICVs
    Task* moved_to;                // Promoted: the descriptor that took its place
  };
  Atomic<uint32_t> children{0};  // see kWaiter
  Atomic<uint32_t> references{1};
  Relaxed<uint32_t> depth{0};  // distance from the implicit task
  TaskKind kind = TaskKind::Implicit;
  bool extras_separate : 1 = false;  // `extras` is a block of its own, not part of the descriptor's
  bool data_separate : 1 = false;    // so is `data`
  bool must_run : 1 = false;  // cancelled or not: to destroy its data, or because it is spawned
  bool begun : 1 = false;     // its continuation has begun
  bool order_goes_beyond : 1 = false;  // `children` does not count all that may come before a child
  bool discarded : 1 = false;          // its function has only destroyed its data
  bool kept : 1 = false;               // whoever made it keeps the descriptor
  bool collects : 1 = false;           // a mode notes its task constructs: Mode::collect()
  // These are constant as soon as others know of the task, even if only its children do. They are a
  // memory location of their own, because the task's thread still writes those above.
  uint8_t : 0;
  bool final_task : 1 = false;
  bool own_stack : 1 = false;  // executed as a continuation: task/modes/continuation_stealing.h
  bool imports : 1 = false;    // begins before what its children follow: task/depend/transparent.h
  bool in_order : 1 = false;   // transparent, so that others may follow tasks within it
  bool for_pool : 1 = false;   // free agents may execute it: task/modes/pool_tasks.h
  uint8_t unused_constant_bits : 3 = 0;
  Relaxed<bool> tied{true};
};
static_assert(sizeof(Task) == 64);

// In Task::children, and likewise in Taskgroup::tasks and DependNode::blockers: a thread waits for
// the count to become 0. The thread that makes it 0 resumes the waiter.
inline constexpr uint32_t kWaiter = 1u << 31;
// The same for a task that has left its thread to wait (task/modes/continuation_stealing.h).
inline constexpr uint32_t kContinuationWaiter = 1u << 30;

}  // namespace bobbin
