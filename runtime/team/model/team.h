// SPDX-License-Identifier: Apache-2.0
// A team and its members: what a parallel region is to the runtime.
#pragma once

#include "fiber/context/context.h"
#include "platform/atomic.h"
#include "platform/locks/spinlock.h"
#include "sched/processors/whereabouts.h"
#include "sched/queues/bitset.h"
#include "sched/workers/ticket.h"
#include "team/model/barrier_state.h"
#include "team/model/mode.h"
#include "team/model/participants.h"
#include "team/model/task.h"
#include "team/model/task_tuning.h"
#include "team/model/thread.h"
#include "team/model/workshare.h"
#include "team/queues/task_queue.h"
#include "tool/state.h"

namespace bobbin {

struct FreeAgents;

// What code that is inlined into programs uses of a member. The layout is that of bobbin_member_v1
// in bobbin/inline/layout.h.
struct InlinedPart {
  void (*end_moved_task)() = nullptr;  // of task_hooks.h
  ChunkBatch* batch = nullptr;         // of its WorkSharePosition
  const unsigned* team_size = nullptr;
  unsigned num = 0;  // the thread's, in the team
};

// What excludes the other members while one combines its copies of a reduction with the originals.
// Each member has its own, because a function of the program may combine them, and open regions.
enum class CombinedUnder : uint8_t { None, Lock, Turn };

// A place in a team: thread number, data environment, tasks. A member needs a stack only from the
// begin of its structured block to its end. After that it rests at the region's implicit barrier
// without one, until a worker adopts it to run tasks.
struct alignas(kCacheLine) Member : InlinedPart {
  Member() { batch = &position.batch; }

  // These are the thread's alone.
  int64_t defer_limit = 0;  // how many tasks it keeps for thieves: task/tuning/defer_limit.h
  Team* team = nullptr;
  // Relaxed, because a thread that fulfils an event from outside reads it when the region may have
  // ended.
  Relaxed<Thread*> thread{nullptr};
  Thread* own_thread = nullptr;  // made for this member; a primary thread takes its place
  Member* next_in_store = nullptr;
  // In Team::members, and its bit in Barrier::asleep. It is the thread's number, except for a free
  // agent's seat (team/regions/free_agents.h). The seats follow the members of the largest region.
  unsigned index = 0;
  unsigned next_victim = 0;  // where it stole last
  TaskTuning tuning;
  CombinedUnder combining = CombinedUnder::None;
  Mode* arranged_by = nullptr;  // the mode that has, and is to undo it: Mode::let_go()
  bool adopted = false;         // it has ended its part, and helps with tasks once more
  bool free_agent = false;      // constant
  // It executes no task at once that it may defer. Its defer limit is kDeferAll, for good.
  bool defers_all = false;
  UserScheduler* counted_in = nullptr;  // as running: see task/modes/user_scheduler.h
  uint64_t task_hint = 0;               // of the next task that it makes
  uint64_t bulk_unseen = 0;  // made since it looked at the memory: see task/memory/bulk.h
  WorkSharePosition position;
  Task implicit;
  tool::TaskState tool;  // of the implicit task

  // Owner: its thread; thieves: the other threads of the team.
  alignas(kCacheLine) TaskQueue<Task> tasks;
  // The weight of the deferred tasks that it has made in this region, and of those that it has
  // completed (task/memory/bulk.h). It writes them, all read them. At the end of the region the
  // sums over the team agree.
  alignas(kCacheLine) Atomic<uint64_t> tasks_made{0};
  Atomic<uint64_t> tasks_ended{0};

  // Written seldom, read by those who look for work.
  // The region (Team::region) at whose end it rests. Its thread stores it; an adopter takes it away
  // (compare-and-swap to 0) and puts it back.
  alignas(kCacheLine) Atomic<uint64_t> rested{0};
  FloatControl float_control;  // its thread's, while it rests
  // On which processor its thread ran when it looked last, if that matters:
  // sched/processors/whereabouts.h.
  Relaxed<int> processor = Whereabouts::kUnknown;
};

// Threads of one place have consecutive numbers in the team (team/members/placement.h). Thread k
// belongs to the block that begins with thread blocks[k].first.
struct PlaceBlock {
  int place = -1;
  unsigned first = 0;
};

// All that the places of a team's threads follow from.
struct PlacedFor {
  Placement primary;
  ProcBind policy = ProcBind::False;
  unsigned size = 0;  // 0: no places have been assigned

  bool operator==(const PlacedFor&) const = default;
};

// A team, and the region that it executes. Teams are type-stable: pooled, and never given back.
struct alignas(kCacheLine) Team : Ticket {
  // Written before the region is published, constant while it runs.
  unsigned size = 1;
  unsigned level = 0;         // nesting depth of the region, omp_get_level
  unsigned active_level = 0;  // the same, counting regions of several threads
  bool opens_root = false;    // the root was in no region before
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  Member** members = nullptr;      // [capacity], of which this region has [size]; then the seats
                                   // of free agents: made once, null before
  Member* encountering = nullptr;  // the primary thread's place in the enclosing team
  Task* encountering_task = nullptr;
  Root* root = nullptr;
  Atomic<unsigned>* group_threads = nullptr;  // of the contention group, for thread-limit
  Icvs icvs;                                  // the implicit tasks start with these
  ThreadsList threads_list;                   // if the num_threads clause had a list
  bool decided_by_mode = false;               // a mode has a say in which tasks are deferred
  // Deferred tasks have stacks of their own: task/modes/blocking/blocking.h.
  bool tasks_may_block = false;
  bool lost_threads = false;  // in the child of a fork: see fork_child.h
  FloatControl float_control;
  uint64_t region = 0;           // counts the regions that the team has executed
  Placement outer_placement;     // the primary thread's, for after the join
  PlaceBlock* blocks = nullptr;  // [capacity], set while threads have places
  PlacedFor placed_for;          // what the threads' places were assigned for, the last time
  Placement primary_placement;   // which the primary thread got then
  Team* kept_next = nullptr;     // list of the primary thread's kept teams
  // See visit.h. The primary thread writes the first, visitors the second.
  Atomic<bool> kept{false};
  Atomic<uint32_t> visitors{0};
  unsigned capacity = 0;     // room for so many members
  unsigned agent_seats = 0;  // and for so many free agents
  unsigned made = 0;         // so many have been made
  unsigned counted = 1;      // the first so many may have counts of tasks from the last region
  unsigned team_num = 0;     // host teams: league number and size
  unsigned num_teams = 1;
  Taskgroup* region_group = nullptr;  // for reductions of the region: implicit tasks begin in it
  bool watched = false;               // a tool is told of the region, from its begin to its end
  tool::Region tool;

  // Written rarely, read often.
  alignas(kCacheLine) Atomic<Mode*> mode{nullptr};  // the first that takes part: team/model/mode.h
  Atomic<bool> has_tasks{false};                    // a task was deferred since the last barrier
  // For threads outside of the region, which may read only what is atomic or constant:
  Atomic<unsigned> open_size{1};      // its `size`
  Atomic<bool> tasks_offered{false};  // a task may be queued; see task_hooks.h
  Atomic<bool> had_tasks{false};      // since the fork
  Atomic<bool> cancelled{false};      // the parallel region was
  // It was, or a tool watches it, or looks_at_each_task(), or free agents may execute tasks: tasks
  // take no short cuts.
  Atomic<bool> unusual{false};
  // Those that execute tasks of this region, from the first one for them to its end. Written under
  // their lock, as is the link of their list.
  Atomic<FreeAgents*> agents{nullptr};
  Team* next_served = nullptr;
  SharedQueue priority_tasks;
  Mode* idle_modes = nullptr;  // which took part in earlier regions. Under the lock:
  mutable SpinLock modes_lock;
  Atomic<uint64_t> ended_elsewhere{0};  // weight of tasks ended by threads outside of the team
  Atomic<uint64_t> bulk_units{0};       // memory of large things: see task/memory/bulk.h

  // Written by a thread that completes a task, read by threads that look for one:
  // task/model/ancestry.h.
  alignas(kCacheLine) Atomic<uint64_t> ancestries_shortened{0};

  alignas(kCacheLine) BitsetView unbegun;
  Participants participants;

  Barrier barrier;
  WorkShares work_shares;

  bool serial() const { return size == 1; }
  // One past the last Member::index of those that may take part in the region.
  unsigned end_of_indices() const {
    return agents.load(relaxed) != nullptr ? capacity + agent_seats : size;
  }
  // With strands each task that may be deferred is to be one that executes on its own.
  bool defers_all() const { return tasks_may_block || has_strands(); }
  // It may block, or its depth decides whether it is deferred: no task may be left out.
  bool looks_at_each_task() const {
    return defers_all() || icvs.task_policy.cutoff == Cutoff::Level;
  }
  void watch(bool is) {
    watched = is;
    const bool is_unusual = is || looks_at_each_task();
    if (unusual.load(relaxed) != is_unusual) unusual.store(is_unusual, relaxed);
  }
  void set_cancelled(bool is) {
    unusual.store(is || watched || looks_at_each_task() || agents.load(relaxed) != nullptr,
                  relaxed);
    cancelled.store(is, seq_cst);
  }
};

// The address by which a race detector knows the ends of the tasks that this generation of the
// barrier waits for. A thread that passes the barrier late meets tasks of the next one, whose ends
// do not come before what it does.
inline const void* ends_of_tasks(const Team& team, uint32_t generation) {
  return reinterpret_cast<const char*>(&team.tasks_offered) + generation % 2;
}

inline bool in_mode(const Team& team) { return team.mode.load(relaxed) != nullptr; }

// The mode of that rank, if it takes part in the region; or nullptr.
inline Mode* mode_of(const Team& team, ModeRank rank) {
  Mode* mode = team.mode.load(acquire);
  while (mode != nullptr && mode->rank != rank) mode = mode->next.load(acquire);
  return mode;
}

// Something has changed for all of the team's tasks, or for those of a taskgroup.
inline void withdraw_permits(const Team& team) {
  fence(seq_cst);
  for (unsigned num = 0; num < team.size; num++) {
    Thread* thread = team.members[num]->thread;
    if (thread != nullptr) thread->withdraw_permits();
  }
}

inline Team& current_team() { return *self().member->team; }

}  // namespace bobbin
