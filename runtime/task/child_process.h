// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// fork() within tasks: frees the locks of tasks and taskgroups in the child.
// team/members/fork_child.h does that for teams.
void init_tasks_of_child();

}  // namespace bobbin
