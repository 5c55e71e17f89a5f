// SPDX-License-Identifier: Apache-2.0
#include "task/create/look_ahead.h"

#include "env/icv.h"
#include "sched/workers/pool.h"
#include "task/memory/bulk.h"
#include "task/run/schedule.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"

namespace bobbin {
void keep_memory_bound(Thread& thread) {
  thread.member->bulk_unseen = 0;
  const Team& team = *thread.member->team;
  uint64_t most = global_icvs().task_memory / kTypicalTaskBytes;
  auto held = [&] { return weight_under_way(team) + team.bulk_units.load(relaxed); };
  if (held() <= most) return;
  uint64_t least = ~uint64_t{0};
  uint64_t since = 0;
  for (uint64_t now; (now = held()) > most / 10 * 7;) {
    if (now < least) {
      least = now;
      since = ticks();
    }
    if (run_a_task(thread)) continue;
    if (ticks() - since > kBoundPatienceUs * ticks_per_us()) return;
    if (!yield(thread)) cpu_pause();
  }
}

void run_some_children(Thread& thread) {
  const Atomic<uint32_t>& children = thread.task->children;
  unsigned rounds = 0;
  while (children.load(relaxed) > kAheadEnough && run_short_children(thread)) rounds++;
  if (rounds == 0) thread.worker->counts.regret(Heuristic::HelpAhead);
}

}  // namespace bobbin
