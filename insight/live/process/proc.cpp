// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/proc.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace bobbin::insight {
namespace {

// Fields of the file `stat`, as proc(5) counts them.
constexpr int kUserTicks = 14;
constexpr int kSystemTicks = 15;
constexpr int kThreads = 20;
constexpr int kBegin = 22;
constexpr int kSize = 23;
constexpr int kStack = 28;

// The numbers of the file `stat`, by these.
class Stat {
 public:
  explicit Stat(int process) : text_(file_of_process(process, "stat")) {}

  // The first two are the process and its name, in parentheses, which may have any characters.
  uint64_t operator[](int field) const {
    std::istringstream fields(text_.substr(std::min(text_.size(), text_.rfind(')') + 1)));
    std::string skipped;
    for (int i = 3; i < field; i++) fields >> skipped;
    uint64_t value = 0;
    fields >> value;
    return value;
  }

 private:
  std::string text_;
};

}  // namespace

// An iterator of a stream would throw if the process ends between opening and reading.
std::string file_of_process(int process, const char* name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string command_of(int process) {
  std::string words = file_of_process(process, "cmdline");
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words;
}

double processor_seconds_of(int process) {
  const Stat stat(process);
  const uint64_t ticks = stat[kUserTicks] + stat[kSystemTicks];
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

unsigned kernel_threads_of(int process) { return static_cast<unsigned>(Stat(process)[kThreads]); }

ProcessImage image_of(int process) {
  const Stat stat(process);
  return {stat[kBegin], stat[kStack], stat[kSize]};
}

}  // namespace bobbin::insight
