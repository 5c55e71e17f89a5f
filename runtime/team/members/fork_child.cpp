// SPDX-License-Identifier: Apache-2.0
#include "team/members/fork_child.h"

#include "platform/diagnostics.h"
#include "platform/locks/fork_lock.h"
#include "sched/signals/signals.h"
#include "sched/workers/pool.h"

namespace bobbin {

void miss_others() {
  fatal(
      "a parallel region was left behind by fork(): its child has come to where it would wait for "
      "the region's other threads, or for tasks that block, which only the parent has");
}

namespace {

bool others_rest(const Team& team, const Thread& self) {
  return (team.serial() || team.members[0]->thread == &self) && team.participants.only_primary();
}

void forget_others(Team& team, const Thread& self) {
  team.lost_threads = true;
  team.unbegun.fill(0, 0);
  team.open_size.store(1, relaxed);  // there is no member to adopt
  for (unsigned num = 0; num < team.size; num++) {
    Thread& thread = *team.members[num]->thread;
    // A resume() does not queue a thread that does not wait.
    if (&thread != &self) thread.state.store(static_cast<uint32_t>(FiberState::Running), relaxed);
  }
}

// Another thread may have held any of the locks, and its change is then incomplete. A queue is
// abandoned, with its tasks; a thread that waits for them misses them. A list, which one store
// changes, is kept.
void free_locks(Team& team) {
  for (unsigned num = 0; num < team.size; num++) team.members[num]->tasks.go_on_alone();
  team.priority_tasks.go_on_alone();
  for (Mode* mode = team.mode.load(relaxed); mode != nullptr; mode = mode->next.load(relaxed)) {
    mode->go_on_alone(team);
  }
  team.modes_lock.free_in_child();
  team.work_shares.extra_lock.free_in_child();
}

void go_on_alone() {
  Thread* self = tls_thread;
  if (self == nullptr) return;
  drop_noted_signals(*self);
  each_team_around(*self, [&](Team& team) {
    free_locks(team);
    if (!others_rest(team, *self)) forget_others(team, *self);
    if (self->away != 0) team.lost_threads = true;
    // Kernel threads do not survive a fork: the next region of the team finds new ones.
    if (!provider.threads_move) team.made = 1;
  });
  if (!provider.threads_move) self->kept = nullptr;
}

}  // namespace

void init_fork_child() { add_fork_lock(only_in_child<go_on_alone>); }

}  // namespace bobbin
