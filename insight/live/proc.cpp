// SPDX-License-Identifier: Apache-2.0
#include "insight/live/proc.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace bobbin::insight {
namespace {

std::string file_of(int process, const char* name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The number in a field of the file `stat`. The first ones are the process and its name, in
// parentheses, which may have any characters; `number` counts from the third, which is 0.
double field_of(const std::string& stat, int number) {
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < number; i++) fields >> skipped;
  double value = 0;
  fields >> value;
  return value;
}

}  // namespace

std::string command_of(int process) {
  std::string words = file_of(process, "cmdline");
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words;
}

double processor_seconds_of(int process) {
  constexpr int kUser = 11;
  constexpr int kSystem = 12;
  const std::string stat = file_of(process, "stat");
  const double ticks = field_of(stat, kUser) + field_of(stat, kSystem);
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

unsigned kernel_threads_of(int process) {
  constexpr int kThreads = 17;
  return static_cast<unsigned>(field_of(file_of(process, "stat"), kThreads));
}

}  // namespace bobbin::insight
