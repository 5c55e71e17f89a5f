// SPDX-License-Identifier: Apache-2.0
//
// The environment of this process: read once, and what the program says instead of it.
#pragma once

#include "env/icv.h"
#include "env/settings.h"

namespace bobbin {

// Reads the environment, once: no hwloc, a few system calls, no memory. Until then every ICV has
// its default for one processor.
void init_env();

// The program speaks for variables that the environment is silent about: NAME=VALUE each, which
// must stay where they are.
void init_env_with(const char* const* defaults, unsigned count);

// For what a program may change later, see construct/settings.h.
GlobalIcvs& changeable_icvs();

// The settings that init_env() made.
const Settings& environment_settings();

}  // namespace bobbin
