// SPDX-License-Identifier: Apache-2.0
// The modes that take part from the begin of a region, because its ICVs ask for them. (Others take
// part when their first task is made, or their first taskgroup begins.)
#include "task/modes/continuation_mode.h"
#include "task/modes/policy.h"
#include "team/task_hooks.h"

namespace bobbin {
namespace {

constexpr void (*kAskedFor[])(Team&) = {begin_continuations, begin_policy};

}  // namespace

void begin_modes(Team& team) {
  leave_modes(team);
  team.decided_by_mode = false;
  for (auto* begin : kAskedFor) begin(team);
}

}  // namespace bobbin
