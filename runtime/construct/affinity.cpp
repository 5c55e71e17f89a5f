// SPDX-License-Identifier: Apache-2.0
#include "construct/affinity.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "team/members/placement.h"
#include "team/model/team.h"

namespace bobbin {
namespace {

// The state that the last displayed line described. It lies in the thread's own TLS block, because
// it describes that thread.
struct Told {
  unsigned team_size = 0;  // 0: nothing has been told
  unsigned thread_num = 0;
  unsigned level = 0;
  int place = -1;

  friend bool operator==(const Told&, const Told&) = default;
};
[[gnu::tls_model("initial-exec")]] thread_local constinit Told told;

}  // namespace

AffinityFields affinity_fields() {
  const Member& member = *self().member;
  const Team& team = *member.team;
  AffinityFields fields;
  fields.team_num = static_cast<int>(team.team_num);
  fields.num_teams = static_cast<int>(team.num_teams);
  fields.nesting_level = static_cast<int>(team.level);
  fields.thread_num = static_cast<int>(member.num);
  fields.num_threads = static_cast<int>(team.size);
  const bool has_ancestor = team.level > 0 && team.encountering != nullptr;
  fields.ancestor_tnum = has_ancestor ? static_cast<int>(team.encountering->num) : -1;
  fields.native_thread_id = syscall(SYS_gettid);
  return fields;
}

void tell_affinity_change() {
  const Thread& thread = self();
  const Told now{thread.member->team->size, thread.member->num, thread.member->team->level,
                 thread.placement.place};
  if (now == told) return;
  told = now;
  display_affinity("", affinity_fields());
}

}  // namespace bobbin
