// SPDX-License-Identifier: Apache-2.0
// What /proc tells of a process; empty or 0 if it has ended.
#pragma once

#include <cstdint>
#include <string>

namespace bobbin::insight {

// All of the file /proc/PROCESS/NAME.
std::string file_of_process(int process, const char* name);

// Its words, separated by spaces.
std::string command_of(int process);

double processor_seconds_of(int process);

unsigned kernel_threads_of(int process);

// Differs from before if another process has this number since, if this one executes another
// program, or if it has mapped a file.
struct ProcessImage {
  uint64_t begin = 0;  // when it was started
  uint64_t stack = 0;  // where the program's stack begins
  uint64_t size = 0;   // of its memory

  bool operator==(const ProcessImage&) const = default;
  bool is_same_program(const ProcessImage& other) const {
    return begin == other.begin && stack == other.stack;
  }
};

ProcessImage image_of(int process);

}  // namespace bobbin::insight
