// SPDX-License-Identifier: Apache-2.0
#include "platform/load.h"

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

unsigned machine_processors() {
  KeepErrno keep;  // the C library reads a file, too
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 0;
}

}  // namespace bobbin
