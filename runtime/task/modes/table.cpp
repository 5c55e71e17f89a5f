// SPDX-License-Identifier: Apache-2.0
// Where modes begin of themselves. (Others take part when the program asks for them.) Each line of
// the lists belongs to one mode.
#include "task/modes/continuation_mode.h"
#include "task/modes/policy.h"
#include "task/modes/pool_tasks.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

// At the begin of a region, because its ICVs ask for them.
constexpr void (*kOfRegions[])(Team&) = {
    begin_continuations,
    begin_policy,
};

// At a task construct, because its clauses ask for them.
constexpr void (*kOfConstructs[])(Thread&, TaskSpec&, RareSpec&) = {
    offer_to_pool,
};

}  // namespace

void begin_modes(Team& team) {
  leave_modes(team);
  team.decided_by_mode = false;
  for (auto* begin : kOfRegions) begin(team);
}

void offer_to_modes(Thread& thread, TaskSpec& spec, RareSpec& rare) {
  for (auto* offer : kOfConstructs) offer(thread, spec, rare);
}

}  // namespace bobbin
