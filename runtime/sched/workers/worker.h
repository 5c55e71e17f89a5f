// SPDX-License-Identifier: Apache-2.0
// A worker is a kernel thread that carries fibers, with what it knows and what lies with it: its
// ready fibers, its inbox, the teams that were forked on it.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "fiber/fiber.h"
#include "platform/atomic.h"
#include "platform/signals/stack_guard.h"
#include "sched/forecasts/admission_forecast.h"
#include "sched/forecasts/deadline.h"
#include "sched/forecasts/forecast.h"
#include "sched/forecasts/polling.h"
#include "sched/forecasts/sharing_root.h"
#include "sched/forecasts/tuning_counts.h"
#include "sched/forecasts/waker_avoidance.h"
#include "sched/processors/spin.h"
#include "sched/queues/deque.h"
#include "sched/queues/inbox.h"
#include "sched/workers/nudge_word.h"
#include "sched/workers/open_teams.h"
#include "sched/workers/park.h"
#include "sched/workers/worker_tool_data.h"
#include "tool/events.h"

namespace bobbin {

struct BoundPlace;
struct StandBy;
struct TaskPool;

enum class WorkerKind : uint8_t {
  Helper,   // made by the pool, about one for each usable processor
  Spare,    // made by the monitor while fibers wait behind a worker that blocks or spins
  Root,     // a kernel thread of the application
  Thread,   // carries one OpenMP thread for its whole life: kernel provider, kept.h
  Reserve,  // has no kernel thread yet: a root's next record, see give_way.h
};

// What a worker's loop takes first.
enum class TakeFirst : uint8_t {
  Begun,      // its own ready fibers: so it has no more stacks than it needs
  Unbegun,    // threads of its own open teams: what has begun may wait for them unseen
  Elsewhere,  // what other workers have: only the fiber that has just yielded is ready here
};

inline constexpr unsigned kNoHelper = ~0u;

// A kernel thread that runs fibers and takes part in teams. Its loop has a stack of its own: the
// kernel thread's, or a pooled one for a root, whose kernel stack is the root's. Each thread has a
// stack of its own, too. The loop switches to that stack. When the thread suspends or ends, the
// worker that carries it by then switches back to its own loop.
struct alignas(kCacheLine) Worker {
  // --- Written by its own kernel thread.
  // Others may read it, even after the record has been given to another kernel thread.
  Relaxed<WorkerKind> kind = WorkerKind::Helper;
  Relaxed<unsigned> index = 0;           // in the registry
  unsigned helper = kNoHelper;           // a helper's number
  Relaxed<bool> carries_others = false;  // one thread after the other; false: its own only, kept.h
  bool hands_down = false;               // threads made by its own thread begin with its state
  // If threads are bound: the place to which its kernel thread is bound.
  Relaxed<int> place = -1;
  Relaxed<BoundPlace*> bound = nullptr;
  // Its id, and the thread pointer that it began with; see credentials.cpp.
  Relaxed<pid_t> kernel_thread = 0;
  Relaxed<ThreadPointer> native_tls = nullptr;
  // For a root that gives way, see give_way.h.
  Atomic<Worker*> reserve{nullptr};       // a root's next record; the monitor provides it,
  StandBy* stand_in = nullptr;            // and before it the kernel thread for this one
  NudgeWord nudged;                       // is a nudge on its way to it?
  Worker* displacing = nullptr;           // the record that has just been left, see arrive()
  void* displaced_sp = nullptr;           // the saved registers of the fiber that gave way
  ThreadPointer displaced_tls = nullptr;  // its thread pointer
  void* native_sp = nullptr;              // the way back to the kernel thread's own stack, to end
  void* loop_sp = nullptr;        // where the registers of its loop lie while something else runs
  Stack* loop_stack = nullptr;    // a root's: what its loop is on
  Group* group = nullptr;         // a root's: it takes part in nothing else
  SignalSet blocked = 0;          // the mask that it adopted last, see signals.h
  Fiber* leaving = nullptr;       // context just left, see arrive()
  Fiber* ended = nullptr;         // a part that has just ended, see come_back()
  Worker* unused_next = nullptr;  // link among records of ended kernel threads
  uint32_t random = 1;
  Ticket* last_ticket = nullptr;  // the team in which it took part last
  unsigned last_part = 0;         // and as which thread: it claims that number first
  TakeFirst take_first = TakeFirst::Begun;
  SpinBudget idle_spin;
  SpinBudget wait_spin;
  // What it knows of its forks, see wake.cpp.
  Relaxed<uint64_t> forked_at = 0;  // others read it, see admission.cpp
  RegionLengths lengths;
  BriefRegions brief_regions;
  Admission admission;             // a root's
  WakerAvoidance waker_avoidance;  // a helper's
  // As a helper or a spare; see processors_of_roots.h.
  bool confined = false;
  unsigned roots_met = 0;
  unsigned mask_changes = 0;
  unsigned locks_found_held = 0;
  AltStack alt_stack;
  HeuristicCounts counts;
  Relaxed<uint64_t> switches = 0;  // of contexts, while a tool watches
  WorkerToolData tool_data;
  TaskPool* task_pool = nullptr;  // the task layer's

  // --- Written by others: ready fibers, wake-ups.
  alignas(kCacheLine) Inbox<Fiber> inbox;  // resume() pushes; the owner or a thief empties it
  Atomic<Fiber*> home_ready{nullptr};      // this root, ready to run again; the owner takes it, or
                                           // a spare worker if the owner is stuck
  // In one line on purpose: a thread that writes `hint`, `retiring` or `forced` is about to write
  // `parking`, and the worker reads them when it has just slept. The monitor looks seldom.
  alignas(kCacheLine) Parking parking;  // see park.h
  // The next three are written by the thread that has claimed the idle bit.
  Atomic<Ticket*> hint{nullptr};
  Atomic<uint64_t> woken_at{0};  // if this worker slept: when, in ticks
  Atomic<int> woken_from{-1};    // and from which processor
  Atomic<bool> retiring{false};  // it is to end: a spare without work, or an unwanted helper
  Atomic<bool> forced{false};    // the monitor: take on work even if no processor is free
  uint32_t progress_seen = 0;    // the monitor's, as is the next one
  bool told_seen = false;        // it was idle, with fibers in its inbox

  // --- Written by the owner, read by others.
  alignas(kCacheLine) Deque<Fiber> ready;          // FIFO: owner and thieves take the oldest
  alignas(kCacheLine) Atomic<bool> active{false};  // a helper with work; a root inside a region
  Atomic<bool> idle{false};      // looks for work for the last time, spins or sleeps
  Atomic<bool> stuck{false};     // written by the monitor at each look; here for readers of `idle`
  Atomic<uint32_t> progress{0};  // scheduling points passed, for the monitor
  Polling polling;
  SharingRoot sharing;  // a root's
  // Teams forked here. Not beside what changes at each scheduling point, because all who look for
  // work read it.
  alignas(kCacheLine) OpenTeams tickets;

  // A new record, or one that has served another kernel thread.
  void belong_to_caller();
  void belong_to_nobody();

  // Called first in a context that was just switched to: the context that was left is whole now,
  // and is made available.
  void arrive();
  // The same in the loop, after a fiber has suspended or ended. True: it has ended, and the thread
  // pointer is still that of its TLS block, which another thread may have by now. So the caller
  // must not touch TLS variables before it sets the thread pointer.
  bool come_back();

  void count_switch() {
    if (tool::watched) [[unlikely]]
      switches = switches + 1;
  }

  void pass_scheduling_point() { progress.store(progress.load(relaxed) + 1, relaxed); }

  uint32_t next_random() {  // xorshift32 (Marsaglia 2003)
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return random;
  }
};

// The kernel thread ends: gives back what the task layer keeps for it. Defined there, bound when
// linking.
void give_back_idle_data(Worker& worker);

}  // namespace bobbin
