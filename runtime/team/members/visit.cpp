// SPDX-License-Identifier: Apache-2.0
#include "team/members/visit.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

#include "platform/locks/futex.h"
#include "sched/monitor/unhandled_signals.h"
#include "team/members/member.h"

namespace bobbin {
namespace {

// If it returns true, every running thread of the process has executed a fence.
bool fence_of_all() {
  static const bool there_is_one =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  return there_is_one && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

bool visit_kept(Team& team, Thread& thread, Worker& worker) {
  team.visitors.fetch_add(1, seq_cst);
  const bool there = fence_of_all() && team.kept.load(acquire);
  if (there) call_on_its_stack(thread, worker);
  if (team.visitors.fetch_sub(1, acq_rel) == 1) futex_wake(team.visitors, INT_MAX);
  return there;
}

}  // namespace

void wait_for_visitors(Team& team) {
  while (const uint32_t visitors = team.visitors.load(acquire)) {
    futex_wait(team.visitors, visitors);
  }
}

// Visits only threads that rest. A suspended thread has been resumed, a running one is nudged, and
// one that has not begun will begin: these check for signals themselves.
void visit(Fiber& fiber, Worker& worker) {
  auto& thread = static_cast<Thread&>(fiber);
  Member* member = thread.own_member;
  if (member == nullptr || member->team == nullptr) return;
  Team& team = *member->team;
  if (!thread.has_signals()) return;
  if (!adopt_for_signals(*member, team, worker)) visit_kept(team, thread, worker);
}

}  // namespace bobbin
