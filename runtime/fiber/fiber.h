// SPDX-License-Identifier: Apache-2.0
// A fiber is the part of an OpenMP thread that the scheduler knows: its saved registers, its stack,
// its signals, and the word by which it is suspended and resumed.
#pragma once

#include <cstdint>

#include "fiber/context/context.h"
#include "fiber/context/stack.h"
#include "fiber/handler_frames.h"
#include "fiber/pending_signals.h"
#include "fiber/permit.h"
#include "platform/atomic.h"

namespace bobbin {

struct Fiber;
struct Member;
struct SpareBlock;
struct Task;
struct Taskgroup;
struct Worker;

// A contention group (OpenMP 5.2, section 1.2.2): everything that descends from one root.
struct Group {
  Relaxed<Worker*> home{nullptr};  // the root's kernel thread
  Fiber* root = nullptr;
  bool is_free_agent = false;  // its root is one, on a kernel thread of the runtime's own
};

// How a fiber is suspended and resumed; described only here.
//
// A fiber that waits for a condition registers itself at the place where the thread that makes the
// condition true will look. Then it checks the condition once more and suspends. The thread that
// makes the condition true calls resume(). One word, `state`, coordinates the two, like a binary
// semaphore:
//
//   Running   it runs, or is about to suspend     -> Notified by resume()
//   Notified  a resume() came while it ran        -> Running by suspend(), which returns at once
//   Waiting   suspended, its registers are saved  -> Running by resume(), which owns it now and
//                                                    puts it into a ready queue
//   Parked    its kernel thread sleeps in it      -> Notified by resume(), with a futex wake
//             (kernel provider, or no stack was to be had)
//
// The context that was switched to does Running -> Waiting, after the switch (Worker::arrive).
// Before that the registers are not all on the stack, and a resume() that found Waiting could make
// the fiber run on two workers at once. If a resume() came in between, the arriving context finds
// Notified and puts the fiber into the ready queue itself. So a fiber is in at most one queue, and
// a notification is never lost. A notification may be superfluous, so every wait checks its
// condition again. Fibers are type-stable: a late resume() always finds a fiber, but that fiber may
// wait for something else by then.
enum class FiberState : uint32_t { Running, Notified, Waiting, Parked };

struct alignas(kCacheLine) Fiber {
  // Written by the fiber itself or by its owner according to the rules above.
  void* sp = nullptr;                 // where its saved registers lie while it is suspended; null
                                      // while it is ready to begin: prepare_to_begin()
  ThreadPointer tls = nullptr;        // thread pointer to load when it runs
  const char* stack_limit = nullptr;  // below this its stack is nearly used up; nullptr: unknown
  Owned<Worker*> worker = nullptr;    // where it runs, or ran last
  Worker* home = nullptr;             // a root's own kernel thread; nullptr for all others
  Fiber* next = nullptr;              // link in an inbox
  Atomic<Group*> group{nullptr};      // its contention group; atomic because thieves read it
                                      // before they own the fiber
  Atomic<uint32_t> state{0};          // FiberState; written by it and by resume()
  Atomic<int> place{-1};              // only workers of this place may carry it, see
                                      // sched/workers/bound_places.h; -1: any worker

  // These belong to the layers above. They are here because programs use them at these offsets, by
  // the names that they have in bobbin/inline/layout.h.
  Member* member = nullptr;            // its place in the innermost team
  Task* task = nullptr;                // the task it executes; never null
  SpareBlock* spare_blocks = nullptr;  // for its next tasks, see task/create/prepared.h
  uint32_t number = 0;                 // see thread_number() in team/model/thread.h
  Taskgroup* free_group = nullptr;     // records for its next taskgroup regions
  Permit in_place;                     // to execute a task in place that could be deferred
  Permit undeferred;                   // the same for one that must not be deferred

  Stack* stack = nullptr;  // its own as long as it lives; null for roots and kernel threads
  // Signals, see sched/signals/signals.h. Only the fiber and its handlers use these fields, except
  // the first.
  Atomic<PendingSignals*> signals{nullptr};  // allocated when the first signal is noted
  SignalSet blocked = 0;                     // its mask, also within handlers
  HandlerFrames handlers;                    // of the program, that it is in
  uint32_t handled = 0;                      // how many of the program's handlers have run for it

  // In ticks, for a debugger: sched/workers/wait_begin.h; 0: unknown.
  Relaxed<uint64_t> waits_since = 0;

  // What the thread may do in place has to be found out anew.
  void withdraw_permits() {
    in_place.withdraw();
    undeferred.withdraw();
  }
  // It goes on on another stack, or with another part of this one.
  void use_stack(const char* limit) {
    stack_limit = limit;
    withdraw_permits();
  }

  // Are there signals that it could handle now?
  bool has_signals() const {
    const PendingSignals* noted = signals.load(relaxed);
    return noted != nullptr && noted->any_of(~blocked);
  }

  bool take_notification() {
    uint32_t expected = static_cast<uint32_t>(FiberState::Notified);
    return state.load(relaxed) == expected &&
           state.compare_exchange_strong(expected, static_cast<uint32_t>(FiberState::Running),
                                         acquire, relaxed);
  }
};

}  // namespace bobbin
