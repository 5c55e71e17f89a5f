// SPDX-License-Identifier: Apache-2.0
// A program as a child that the command waits for.
#pragma once

#include <functional>

#include <sys/types.h>

namespace bobbin::cli {

struct ChildEnd {
  pid_t process = 0;
  int start_error = 0;  // errno; then there was no program
  int wait_status = 0;
  double processor_seconds = 0;  // its own, and those of the processes that it has waited for
};

// Starts a program in a child and waits for its end. `execute` becomes the program, and returns
// errno if it cannot. Signals that another process sends to this one go on to the child. Those of a
// terminal reach the child by themselves.
ChildEnd run_as_child(const std::function<int()>& execute);

// As a shell has it: the exit status, or 128 and the number of the signal that killed it.
int exit_code_of(int wait_status);

}  // namespace bobbin::cli
