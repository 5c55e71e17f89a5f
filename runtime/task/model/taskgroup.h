// SPDX-License-Identifier: Apache-2.0
// Taskgroups, of the program's and of the runtime's own.
#pragma once

#include "platform/atomic.h"
#include "team/model/team.h"

namespace bobbin {

struct UserScheduler;
struct Recording;
struct Replay;

// A taskgroup region (section 15.4): it ends when all tasks generated in it, and their descendants,
// have completed. Made by its encountering thread, which also waits and frees it.
struct Taskgroup {
  // kCancelled, kScheduled, and the policy for the tasks that are created in it
  // (task/modes/policy.h). Programs read this and the next, by the names that they have in
  // bobbin/inline/layout.h.
  Atomic<uint64_t> state{0};
  // Not of the program, but for the reductions of a parallel or worksharing region, or for a scope
  // (task/create/spawn.h).
  bool internal = false;
  Taskgroup* previous = nullptr;  // enclosing one, of the same task or inherited
  // The thread that opened it. Once kWaiter is set, it is the thread that waits, because the task
  // may have moved meanwhile.
  Relaxed<Thread*> owner = nullptr;
  Continuation* continuation = nullptr;  // with kContinuationWaiter: of the task that waits
  void* reductions = nullptr;          // task_reduction clauses, see construct/reductions/reduction
  UserScheduler* scheduler = nullptr;  // with kScheduled
  // Of a taskgraph region (task/graph/taskgraph.h), for its task only: what is recorded, with
  // kRecording; otherwise what is replayed, or null.
  union {
    Recording* recording = nullptr;
    Replay* replay;
  };
  // Deferred tasks that have not ended, and kWaiter while the owner sleeps until there are none.
  alignas(kCacheLine) Atomic<uint32_t> tasks{0};
};
inline constexpr uint64_t kCancelled = 1;
inline constexpr uint64_t kScheduled = uint64_t{1} << 8;
// The tasks that the encountering task makes in it are recorded: task/graph/recording.h.
inline constexpr uint64_t kRecording = uint64_t{1} << 9;

// Opens a group within the task's innermost one. The task is not in it yet.
Taskgroup& open_group(Thread& thread);
// Waits until the group's tasks have ended. Returns the thread that goes on
// (task/modes/continuation_stealing.h).
Thread& close_group(Thread& thread, Taskgroup& group);

void taskgroup_begin(Thread& thread);
void taskgroup_end(Thread& thread);

// For a group that was left by cancellation: gives back what registered reductions took, up to
// those of the enclosing group. Defined by the construct layer.
void abandon_reductions(void* reductions, const void* enclosing);

// The innermost region of the program's own: the group's, or one that encloses it within the same
// set of tasks.
inline Taskgroup* program_group(Taskgroup* group) {
  while (group != nullptr && group->internal) group = group->previous;
  return group;
}

// What a region does not pass on to those within it.
inline constexpr uint64_t kOwnState = kCancelled | kScheduled | kRecording;

// Its state; 0 if there is nothing special about it.
inline uint64_t taskgroup_state(Taskgroup* group) {
  if (group == nullptr) [[likely]]
    return 0;
  group = program_group(group);
  return group != nullptr ? group->state.load(relaxed) : 0;
}

inline bool taskgroup_cancelled(Taskgroup* group) {
  return (taskgroup_state(group) & kCancelled) != 0;
}

// Must tasks of the group, or of no group, not begin any more in the thread's region?
inline bool tasks_cancelled(const Thread& thread, Taskgroup* group) {
  return thread.member->team->cancelled.load(relaxed) || taskgroup_cancelled(group);
}

}  // namespace bobbin
