// SPDX-License-Identifier: Apache-2.0
#include "task/modes/blocking/blocking.h"

#include "abi/export.h"
#include "bobbin/bobbin.h"
#include "sched/workers/program_poller.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"

using namespace bobbin;

static_assert(sizeof(bobbin_blocker) == sizeof(Blocker) &&
              alignof(bobbin_blocker) == alignof(Blocker));

namespace {

Blocker& as_blocker(bobbin_blocker* blocker) { return *reinterpret_cast<Blocker*>(blocker); }

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_let_tasks_block(int (*look)()) {
  program_poller.store(look, relaxed);
  tasks_may_block.store(true, relaxed);
}

BOBBIN_NATIVE_ENTRY int bobbin_blocks_task() {
  const Thread* thread = tls_thread;
  if (thread == nullptr) return 0;
  const Team& team = *thread->member->team;
  return !team.serial() || team.tasks_may_block ? 1 : 0;
}

BOBBIN_NATIVE_ENTRY void bobbin_block(bobbin_blocker* blocker) {
  block(self(), as_blocker(blocker));
}

BOBBIN_NATIVE_ENTRY void bobbin_unblock(bobbin_blocker* blocker) { unblock(as_blocker(blocker)); }
