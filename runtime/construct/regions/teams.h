// SPDX-License-Identifier: Apache-2.0
#pragma once

// The teams construct (section 10.2).
namespace bobbin {

struct TeamsClauses {
  unsigned num_teams = 0;     // 0: none given
  unsigned thread_limit = 0;  // likewise
};

// On the host: the teams of the league run one after another on the encountering thread. They may
// not wait for each other, so that is a valid order.
void run_teams(void (*function)(void*), void* data, const TeamsClauses& clauses);

// In a target region that runs on the host: begins the next team of the league, which has at least
// `lower` teams. False: there is no next team.
bool begin_next_team(bool first, unsigned lower, unsigned thread_limit);

}  // namespace bobbin
