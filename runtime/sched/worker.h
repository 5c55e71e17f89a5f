// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "fiber/fiber.h"
#include "platform/atomic.h"
#include "platform/stack_guard.h"
#include "sched/apart.h"
#include "sched/deadline.h"
#include "sched/deque.h"
#include "sched/forecast.h"
#include "sched/inbox.h"
#include "sched/open_teams.h"
#include "sched/park.h"
#include "sched/polling.h"
#include "sched/sharing_root.h"
#include "sched/spin.h"
#include "sched/tuning_counts.h"
#include "sched/turn_forecast.h"

namespace bobbin {

struct StandBy;
struct TaskPool;

enum class WorkerKind : uint8_t {
  Helper,   // made by the pool, about one for each usable processor
  Spare,    // made by the monitor while fibers wait behind one that blocks or spins
  Root,     // a kernel thread of the application
  Thread,   // kernel provider: carries one OpenMP thread for its whole life
  Reserve,  // no kernel thread's yet: a root's next record, see give_way.h
};

inline constexpr unsigned kNoHelper = ~0u;

// A kernel thread that runs things. Its loop has a stack of its own, the kernel thread's or, since
// a root's is the root's, a pooled one. Threads have stacks of theirs: the loop goes on to one, and
// when that suspends or ends, whatever worker carries it then goes back to its own loop.
struct alignas(kCacheLine) Worker {
  // --- Its own kernel thread's.
  // Others glance at it, even when the record is used again.
  Relaxed<WorkerKind> kind = WorkerKind::Helper;
  Relaxed<unsigned> index = 0;  // in the registry
  unsigned helper = kNoHelper;  // a helper's number
  // Its id, and the thread pointer it was born with; see credentials.cpp.
  Relaxed<pid_t> kernel_thread = 0;
  Relaxed<ThreadPointer> native_tls = nullptr;
  // For one that has given way, see give_way.h.
  Atomic<Worker*> reserve{nullptr};       // a root's next record; the monitor provides it,
  StandBy* stand_in = nullptr;            // and before it the kernel thread for this one
  Atomic<bool> nudged{false};             // a nudge is on its way to it
  Worker* displacing = nullptr;           // the record that has just been left, see arrive()
  void* displaced_sp = nullptr;           // where the registers of what gave way lie,
  ThreadPointer displaced_tls = nullptr;  // and its thread pointer
  void* native_sp = nullptr;              // the way back to the kernel thread's own stack, to end
  void* loop_sp = nullptr;        // where the registers of its loop lie while something else runs
  Stack* loop_stack = nullptr;    // a root's: what its loop is on
  Group* group = nullptr;         // a root's: it takes part in nothing else
  SignalSet blocked = 0;          // the mask that it has taken over last, see signals.h
  Fiber* leaving = nullptr;       // context just left, see arrive()
  Fiber* ended = nullptr;         // a part that has just ended, see come_back()
  Worker* unused_next = nullptr;  // link among records of ended kernel threads
  uint32_t random = 1;
  Ticket* last_ticket = nullptr;  // own number first: what it took part in last ...
  unsigned last_part = 0;         // ... and as which thread
  bool outside_first = false;     // a fiber yields here, and nothing else of its own is ready
  SpinBudget idle_spin;
  SpinBudget wait_spin;
  // Of its forks, see wake.cpp.
  Relaxed<uint64_t> forked_at = 0;  // others glance at it, see turns.cpp
  uint64_t cpu_ns = 0;
  RunningMean pace;
  RegionLengths lengths;
  BriefRegions brief_regions;
  Turns turns;  // a root's
  // As a helper.
  Punctuality punctuality;
  Apart apart;
  // As a helper or a spare; see processors_of_roots.h.
  bool confined = false;
  unsigned roots_met = 0;
  unsigned locks_found_held = 0;
  AltStack alt_stack;
  HeuristicCounts counts;
  TaskPool* task_pool = nullptr;  // the task layer's

  // --- Written by others: ready fibers, wake-ups.
  alignas(kCacheLine) Inbox<Fiber> inbox;  // pushed by resume(); emptied by the owner or a thief
  Atomic<Fiber*> home_ready{nullptr};      // this root, ready to run again; taken by the owner, or
                                           // by a spare worker when the owner is stuck
  // One line on purpose: who writes `hint`, `retiring` or `forced` is about to write `parking`, and
  // the worker reads them when it has just slept; the monitor comes by seldom.
  alignas(kCacheLine) Parking parking;  // see park.h
  Atomic<Ticket*> hint{nullptr};        // written by who claimed the idle bit ...
  Atomic<uint64_t> woken_at{0};         // ... if this worker slept: when, in ticks,
  Atomic<int> woken_from{-1};           // and on which processor
  Atomic<bool> retiring{false};         // to end: a spare out of work, an unwanted helper
  Atomic<bool> forced{false};           // by the monitor: take on work, processor free or not
  uint32_t progress_seen = 0;           // the monitor's own, as is the next one:
  bool told_seen = false;               // was idle, with fibers in the inbox

  // By who forks, in ticks; read when this worker looks for the time to rise.
  struct alignas(kCacheLine) NextWake {
    Atomic<uint64_t> forked_at{0};  // last ...
    Atomic<uint64_t> gap{0};        // ... so long after the fork before, as usual,
    Atomic<uint64_t> watch{0};      // and this may be spent on waiting for the next
    Atomic<int> processor{-1};
  } next_wake;

  // --- Written by the owner, read by others.
  alignas(kCacheLine) Deque<Fiber> ready;          // FIFO: owner and thieves take the oldest
  alignas(kCacheLine) Atomic<bool> active{false};  // a helper with work; a root inside a region
  Atomic<bool> dozes{false};                       // will be awake for the next call, see doze.cpp
  Deadline no_doze;                                // for so long it does not pay
  Atomic<bool> idle{false};      // looks for work for the last time, spins or sleeps
  Atomic<bool> stuck{false};     // by the monitor, at each look; here for who reads `idle`, too
  Atomic<uint32_t> progress{0};  // scheduling points passed, for the monitor
  Polling polling;
  OpenTeams tickets;    // teams forked here
  SharingRoot sharing;  // a root's

  // A new record, or one that has served another kernel thread.
  void belong_to_caller();
  void belong_to_nobody();

  // First thing on a context that was just switched to: makes what was left behind available, now
  // that it is whole.
  void arrive();
  // The same in the loop, to which a fiber has left that suspended or has ended. True: it has
  // ended, and the thread pointer is still that of its block, which may have been given away: the
  // caller must not touch TLS variables before he sets it.
  bool come_back();

  void pass_scheduling_point() { progress.store(progress.load(relaxed) + 1, relaxed); }

  uint32_t next_random() {  // xorshift32 (Marsaglia 2003)
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return random;
  }
};

// Its kernel thread ends: what the task layer, bound when linking, keeps for it.
void give_back_idle_data(Worker& worker);

}  // namespace bobbin
