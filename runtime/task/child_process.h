// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// fork() within tasks: in the child the locks are free that lie in what tasks and taskgroups have.
// (Those of teams: team/fork_child.h.)
void init_tasks_of_child();

}  // namespace bobbin
