// SPDX-License-Identifier: Apache-2.0
// `bobbin run`: starts a program on Bobbin.
#pragma once

#include <string>
#include <vector>

#include "launch/launch_options.h"
#include "measure/instruments.h"

namespace bobbin::cli {

enum class RunMode { Execute, Print };

// Replaces this process by the program, or observes it as a child. Returns only with an exit code.
// `mpi` is the layer for MPI to load: empty for none, "true" for that of the program's MPI library,
// or the name of one.
int run_program(const LaunchOptions& options, const Instruments& instruments,
                const std::vector<std::string>& command, RunMode mode, const std::string& mpi);

}  // namespace bobbin::cli
