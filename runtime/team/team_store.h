// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

namespace bobbin {

// Teams and their members. A team grows to the largest region it has served and is kept by the
// thread that forked it, so that thread k of its next region is the same thread, with the same
// threadprivate variables.

// A team of `size` members, or of as many as there was memory (or kernel threads) for, which is
// said once; nullptr if there was not even enough for one.
Team* take_team(Thread& forking, unsigned size);
void keep_team(Thread& forking, Team& team);

// A root's thread ends: the threads of its kept teams end, those of their kept teams too; the
// records are pooled.
void dissolve_kept_teams(Thread& thread);

void init_teams();

}  // namespace bobbin
