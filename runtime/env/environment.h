// SPDX-License-Identifier: Apache-2.0
//
// The environment of this process, which is read once, and the program's defaults for it.
#pragma once

#include "env/icv.h"
#include "env/settings.h"

namespace bobbin {

// To be called when the library is loaded: what is in the environment now is the user's.
void note_start_environment();

// Reads the environment once: no hwloc, a few system calls, no memory. Before that, every ICV has
// its default for one processor.
void init_env();

// Takes the program's values for variables that are not in the environment. Each is NAME=VALUE; the
// strings must stay in place.
void init_env_with(const char* const* defaults, unsigned count);

// The ICVs that a program may change later, see construct/settings.h.
GlobalIcvs& changeable_icvs();

// The settings that init_env() made.
const Settings& environment_settings();

}  // namespace bobbin
