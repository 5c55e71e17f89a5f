// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/fair_share.h"

#include "env/icv.h"
#include "sched/roots/sharing_roots.h"
#include "sched/workers/pool.h"
#include "team/model/root.h"

namespace bobbin {
namespace {

// A thread at level 0 that is not run by the root's own kernel thread is in an initial region
// within one of the root's regions.
unsigned sharing_roots(const Thread& thread) {
  Worker& home = *thread.root->home;
  if (thread.worker == &home) return count_sharing_roots(home);
  const unsigned open = open_roots();
  return open != 0 ? open : 1;
}

unsigned all_threads() { return global_icvs().initial.nthreads; }

bool in_initial_team(const Thread& thread) {
  return thread.member->team == &thread.root->initial_team;
}

}  // namespace

unsigned fair_team_size(Thread& thread, unsigned wanted) {
  const unsigned part = fair_part(wanted, all_threads(), sharing_roots(thread));
  const unsigned told = in_initial_team(thread) ? thread.root->home->sharing.told : 0;
  if (told == 0) return part;
  return told < wanted ? told : wanted;
}

unsigned tell_fair_size(Thread& thread, unsigned wanted) {
  if (!in_initial_team(thread)) return wanted;
  const unsigned size = all_or_one(wanted, all_threads(), sharing_roots(thread));
  thread.root->home->sharing.told = size;
  return size;
}

void forget_told_size(Thread& thread) {
  if (thread.task == &thread.root->initial_member.implicit) thread.root->home->sharing.told = 0;
}

}  // namespace bobbin
