// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "env/icv.h"

// What a program may change of that which the environment settles: for the whole process, unlike
// ICVs. Each as early as it can, for what has begun goes on as it was.
namespace bobbin {

// Of threads that get their stacks from now on.
void change_stack_size(size_t bytes);

// How long a waiting thread spins at most.
void change_block_time(uint64_t nanoseconds);
void change_wait_policy(WaitPolicy policy);
// How long that is now, in nanoseconds.
uint64_t block_time();

// nteams-var and teams-thread-limit-var, which a device has one of (section 2.2); 0: not set.
void change_num_teams(unsigned count);
void change_teams_thread_limit(unsigned limit);

// Values for variables that the environment does not have: NAME=VALUE|NAME=VALUE... Those of
// earlier calls count on. What is settled for good by then (the provider, and with it binding)
// stays.
void set_environment_defaults(const char* list, size_t length);

}  // namespace bobbin
