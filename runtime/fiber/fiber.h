// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fiber/context.h"
#include "fiber/pending_signals.h"
#include "fiber/stack.h"
#include "platform/atomic.h"

namespace bobbin {

struct Fiber;
struct Member;
struct Worker;

// A contention group (OpenMP 5.2, section 1.2.2): everything that descends from one root.
struct Group {
  Relaxed<Worker*> home{nullptr};  // the root's kernel thread
  Fiber* root = nullptr;
};

// Suspending and resuming a fiber, told once.
//
// A fiber that waits for a condition registers itself where the one who makes the condition true
// will look, checks the condition once more, and suspends. Whoever makes it true calls resume().
// Between the two stands one word, `state`, used like a binary semaphore:
//
//   Running   it runs, or is about to suspend     -> Notified by resume()
//   Notified  a resume() came while it ran        -> Running by suspend(), which returns at once
//   Waiting   suspended, its registers are saved  -> Running by resume(), which owns it now and
//                                                    puts it into a ready queue
//   Parked    its kernel thread sleeps in it      -> Notified by resume(), with a futex wake
//             (kernel provider, or no stack was to be had)
//
// Running -> Waiting is done by the context that was switched to, after the switch
// (Worker::arrive): until then the registers are not all on the stack, and a resume() that found
// Waiting could have the fiber run on two workers at once. If a resume() came in between, the
// arriving context finds Notified and puts the fiber into the ready queue itself. So a fiber is in
// at most one queue, and a notification is never lost. It may be superfluous: every wait looks at
// its condition again. Fibers are type-stable: a late resume() finds a fiber, if perhaps one that
// waits for something else by now.
enum class FiberState : uint32_t { Running, Notified, Waiting, Parked };

struct alignas(kCacheLine) Fiber {
  // Written by the one who runs it or owns it by the rules above.
  void* sp = nullptr;                 // where its registers lie while it is suspended
  ThreadPointer tls = nullptr;        // thread pointer to load when it runs
  const char* stack_limit = nullptr;  // below this its stack is nearly used up; nullptr: unknown
  Owned<Worker*> worker = nullptr;    // where it runs, or ran last
  Worker* home = nullptr;             // a root's own kernel thread; nullptr for all others
  Fiber* next = nullptr;              // link in an inbox
  Atomic<Group*> group{nullptr};      // that it belongs to; atomic because thieves look at it
                                      // before they own the fiber
  Atomic<uint32_t> state{0};          // FiberState; written by it and by resume()

  // The team layer's: its place in the innermost team. Here because programs read it at this
  // offset, by the name that it has in bobbin/spawn.h.
  Member* member = nullptr;

  Stack* stack = nullptr;  // its own as long as it lives; null for roots and kernel threads
  // Signals, see sched/signals.h. All but the first are its own, also in handlers.
  Atomic<PendingSignals*> signals{nullptr};  // made with the first one for it
  SignalSet blocked = 0;
  int raising = 0;           // that it sends to itself just now
  uint32_t handling = 0;     // handlers of the program's that it is in
  uint32_t handled = 0;      // how many of the program's handlers have run for it,
  uint32_t interrupted = 0;  // and how many others have interrupted it

  // That it could handle now.
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
