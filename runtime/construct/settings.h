// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "env/icv.h"

// Settings from the environment that a program may change. They hold for the whole process, unlike
// ICVs. Each change takes effect as early as it can; what has begun continues unchanged.
namespace bobbin {

// For threads that get their stacks from now on.
void change_stack_size(size_t bytes);

// The longest time that a waiting thread spins.
void change_block_time(uint64_t nanoseconds);
void change_wait_policy(WaitPolicy policy);
// The current value, in nanoseconds.
uint64_t block_time();

// nteams-var and teams-thread-limit-var, of which a device has one each (section 2.2); 0: not set.
void change_num_teams(unsigned count);
void change_teams_thread_limit(unsigned limit);

// Values for variables that the environment does not have: NAME=VALUE|NAME=VALUE... Those of
// earlier calls stay in force. Settings that are final by then (the provider, and with it binding)
// stay.
void set_environment_defaults(const char* list, size_t length);

}  // namespace bobbin
