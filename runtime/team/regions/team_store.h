// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/team.h"

namespace bobbin {

// Teams and their members. A team grows to the largest region that it has served. The thread that
// forked it keeps it. So thread k of that thread's next region is the same thread, with the same
// threadprivate variables.

// Returns a team of `size` members, or of as many as there was memory (or kernel threads) for,
// which is reported once. nullptr: there was not even enough for one.
Team* take_team(Thread& forking, unsigned size);
void keep_team(Thread& forking, Team& team);

// A root's thread ends: the threads of its kept teams end, and those of their kept teams too. The
// records are pooled.
void dissolve_kept_teams(Thread& thread);

void init_teams();

}  // namespace bobbin
