// SPDX-License-Identifier: Apache-2.0
// An OpenMP thread: a fiber with thread-local storage, a current task, and the teams that it keeps.
#pragma once

#include "fiber/fiber.h"
#include "fiber/tls/tls_block.h"
#include "platform/memory.h"
#include "platform/processors/cpu_set.h"
#include "platform/watchers/happens_before.h"
#include "sched/queues/inbox.h"
#include "team/model/task.h"
#include "tool/state.h"

namespace bobbin {

struct Member;
struct Root;
struct Continuation;
struct ContinuationBase;
struct Team;

// Where a thread is bound: a number in the list of places, and the part of the list over which the
// teams that it forks are spread.
struct Placement {
  int place = -1;  // -1: not bound
  unsigned partition_begin = 0;
  unsigned partition_size = 0;

  bool operator==(const Placement&) const = default;
};

// What a thread is to go on with: a continuation that has left it (task/modes/blocking/blocking.h).
struct Returner {
  Returner* next_returner = nullptr;
};

// An OpenMP thread: an identity with TLS of its own. The primary thread of a nested team is the
// thread that met the parallel construct. The other threads belong to the team for which they were
// made.
struct Thread : Fiber {
  Member* own_member = nullptr;  // the member for which it was made; null for roots
  Root* root = nullptr;          // the kernel thread of the application from which it descends
  Team* kept = nullptr;          // teams that it keeps for its next regions, outermost first
  // See task/modes/continuation_stealing.h for these.
  Continuation* continuation = nullptr;  // the one that it runs
  ContinuationBase* continuation_base =
      nullptr;  // where it goes when it has no continuation to continue with
  Continuation* free_continuations = nullptr;
  unsigned free_continuation_count = 0;
  // See task/modes/blocking/blocking.h for these. Any kernel thread pushes to the first.
  unsigned away = 0;  // continuations that have left the thread and will go on here
  Returner* returning = nullptr;
  Inbox<Returner, &Returner::next_returner> returners;
  // See task/model/constraint.h for these.
  const Task* at_barrier = nullptr;   // the implicit task that runs others there
  const Task* untied_base = nullptr;  // the innermost untied task that it took from a queue
  const Task* tied_below = nullptr;   // and the innermost tied one that it was in then
  Placement placement;
  int bound_place = -1;        // the place that the kernel knows of
  CpuSet* affinity = nullptr;  // the one that it has asked for itself: abi/interpose_affinity.cpp
  bool tls_started = false;
  // Kernel provider: counts the regions to run; written by the forking thread.
  Atomic<uint32_t> launch{0};
  // What it is asked to call between regions, and how many calls it has answered. The asking thread
  // writes the first and waits for the second.
  Atomic<void (*)(Thread&)> called{nullptr};
  Atomic<uint32_t> calls_answered{0};
  tool::ThreadState tool;
  // With strands: the current one follows all others of the thread that are ordered.
  bool ordered = false;
};

// The calling thread, in its own TLS block; null until a kernel thread of the application first
// calls into the runtime. `constinit`: otherwise every use would first look for a dynamic
// initialiser. team/carriers/inlined_self.h sets it.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local Thread* tls_thread;

// For a race detector: the program may use data of the thread from here on, which its tasks use one
// after the other.
inline void order_by_thread(Thread& thread) {
  if (!has_strands() || thread.ordered) return;
  thread.ordered = true;
  happens_after(&thread);
}

// Is it a kernel thread of the application?
inline bool is_root(const Thread& thread) { return thread.own_member == nullptr; }

// Has it a kernel thread of its own, although others are fibers (sched/kernel_threads/kept.h)?
inline bool is_kept(const Thread& thread) { return thread.home != nullptr && !is_root(thread); }

// Has a task that left the thread to wait become ready to go on there? Defined in the task layer.
bool look_for_returner(Thread& thread);
inline bool has_returner(Thread& thread) { return thread.away != 0 && look_for_returner(thread); }

inline void forget_affinity(Thread& thread) {
  destroy(thread.affinity);
  thread.affinity = nullptr;
}

// The thread that a pthread_t names; nullptr: it is no OpenMP thread, or it has ended.
inline Thread* thread_of(pthread_t thread) { return *in_tls_block(block_of(thread), &tls_thread); }

// The calling thread has been told where its stack is, so it keeps to that stack, however deep it
// recurses.
void note_own_stack_is_known();

// Makes the calling kernel thread a root.
Thread& attach_root();

inline Thread& self() {
  Thread* thread = tls_thread;
  return thread != nullptr ? *thread : attach_root();
}

inline Atomic<uint32_t> thread_numbers_given{0};

// The thread's number among the OpenMP threads of the process, from 1; given when first asked for.
inline uint32_t thread_number(Thread& thread) {
  if (thread.number == 0) [[unlikely]] {
    thread.number = thread_numbers_given.fetch_add(1, relaxed) + 1;
  }
  return thread.number;
}

// The same from 0. LLVM's and Intel's code knows the thread by this number and looks it up itself.
inline uint32_t thread_index(Thread& thread) { return thread_number(thread) - 1; }

}  // namespace bobbin
