// SPDX-License-Identifier: Apache-2.0
//
// OMP_DISPLAY_ENV, omp_display_env and `bobbin env`: the settings that result from the environment.
#pragma once

#include "platform/text.h"

namespace bobbin {

struct Settings;

enum class EnvDetail : unsigned char { Standard, Verbose };

// Writes to stderr, in the form of OpenMP 5.2, section 21.7. Verbose adds the vendors' variables,
// Bobbin's own, and what the runtime found on this machine.
void display_env(EnvDetail detail);
// At start-up, after the provider has been chosen: does what OMP_DISPLAY_ENV asks for.
void display_env_if_asked();

// Called by the layer that chooses the provider of threads' stacks and TLS: its name, and the
// reason for the choice ("" if there is none). The texts must stay valid.
void note_provider(const char* name, const char* reason);

// One call for each setting, in the form of bobbin_env_report.
using EnvEmit = void (*)(void* user, const char* name, const char* value, const char* source,
                         const char* detail);
void report_env(EnvEmit emit, void* user);

// For tests: the same with settings of their own.
void print_env(const Settings& settings, EnvDetail detail, TextOut& out);
void report_settings(const Settings& settings, const char* const* environment, EnvEmit emit,
                     void* user);

}  // namespace bobbin
