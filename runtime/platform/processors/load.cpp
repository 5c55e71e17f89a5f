// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/load.h"

#include "platform/keep_errno.h"
#include "platform/small_file.h"

namespace bobbin {

// proc(5): three averages, then runnable/existing threads, then the last process id.
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

// proc(5): number, name in brackets, state.
bool kernel_thread_sleeps(pid_t id) {
  const KeepErrno keep;
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
  KeepErrno keep;  // the C library reads a file as well
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 0;
}

}  // namespace bobbin
