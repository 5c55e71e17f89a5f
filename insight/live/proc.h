// SPDX-License-Identifier: Apache-2.0
// What /proc tells of a process; empty or 0 if it has ended.
#pragma once

#include <string>

namespace bobbin::insight {

// Its words, separated by spaces.
std::string command_of(int process);

double processor_seconds_of(int process);

unsigned kernel_threads_of(int process);

}  // namespace bobbin::insight
