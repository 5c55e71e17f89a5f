// SPDX-License-Identifier: Apache-2.0
#include "platform/load.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/keep_errno.h"
#include "platform/small_file.h"

namespace bobbin {

// proc(5): three averages, then runnable/existing, then the last process id.
unsigned runnable_kernel_threads(const char* file) {
  KeepErrno keep;
  char buffer[128];
  std::string_view text = read_small_file(file, buffer, sizeof buffer);
  std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return 0;
  std::size_t space = text.rfind(' ', slash);
  if (space == std::string_view::npos) return 0;
  std::uint64_t count = 0;
  Scanner scan({text.data() + space + 1, slash - space - 1});
  return scan.number(count) && scan.done() && count <= 1'000'000 ? static_cast<unsigned>(count) : 0;
}

uint64_t kernel_thread_cpu_ns(pid_t id) {
  // What pthread_getcpuclockid() makes of it, by clock_getres(2).
  constexpr unsigned kOfThread = 4;
  constexpr unsigned kAsScheduled = 2;
  const unsigned clock = ~static_cast<unsigned>(id) << 3 | kOfThread | kAsScheduled;
  timespec time{};
  KeepErrno keep;
  if (syscall(SYS_clock_gettime, static_cast<clockid_t>(clock), &time) != 0) return 0;
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

// proc(5): number, name in brackets, state.
bool kernel_thread_sleeps(pid_t id) {
  KeepErrno keep;
  Text<64> path;
  path.add("/proc/self/task/");
  path.number(id);
  path.add("/stat");
  char buffer[512];
  const std::string_view text = read_small_file(path.c_str(), buffer, sizeof buffer);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos || name_end + 2 >= text.size()) return false;
  const char state = text[name_end + 2];
  return state == 'S' || state == 'D';
}

unsigned machine_processors() {
  KeepErrno keep;  // the C library reads a file, too
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 0;
}

}  // namespace bobbin
