// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/share.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>

#include "platform/atomic.h"
#include "platform/keep_errno.h"
#include "platform/small_file.h"

namespace bobbin {
namespace {

constexpr std::uint64_t kNoLimit = UINT64_MAX;

std::uint64_t share_of(std::uint64_t limit) { return limit / 4 * 3; }

std::uint64_t limit_of(__rlimit_resource resource) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return limit.rlim_cur;
}

// No limit if the file does not exist or contains a word ("max").
std::uint64_t limit_in(const char* file) {
  std::int64_t value = 0;
  return read_number_file(file, value) && value > 0 ? static_cast<std::uint64_t>(value) : kNoLimit;
}

std::uint64_t mapped_bytes() {
  std::int64_t pages = 0;  // the first number of several
  if (!read_number_file("/proc/self/statm", pages)) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

constexpr std::uint64_t kMappingsOfStack = 2;  // its guard is a separate mapping

std::uint64_t most_mappings() {
  static Atomic<std::uint64_t> known{0};
  std::uint64_t most = known.load(relaxed);
  if (most == 0) {
    most = share_of(limit_in("/proc/sys/vm/max_map_count"));
    known.store(most, relaxed);
  }
  return most;
}

// With few kernel threads, the runtime's share would be too small to run work that others wait for.
constexpr std::uint64_t kMany = 64;

}  // namespace

bool room_for_stack(std::size_t bytes, std::size_t stacks) {
  const KeepErrno keep;
  if ((stacks + 1) * kMappingsOfStack > most_mappings()) return false;
  const std::uint64_t limit = limit_of(RLIMIT_AS);
  if (limit == kNoLimit) return true;
  const std::uint64_t mapped = mapped_bytes() + bytes;
  return mapped <= limit && (stacks + 1) * bytes <= 3 * (limit - mapped);
}

unsigned most_kernel_threads() {
  static Atomic<unsigned> known{0};
  if (const unsigned most = known.load(relaxed)) return most;
  const KeepErrno keep;
  std::uint64_t limit = std::min({limit_of(RLIMIT_NPROC), limit_in("/sys/fs/cgroup/pids.max"),
                                  limit_in("/sys/fs/cgroup/pids/pids.max")});
  if (limit >= kMany) limit = share_of(limit);
  const auto most = static_cast<unsigned>(std::clamp<std::uint64_t>(limit, 1, UINT_MAX));
  known.store(most, relaxed);
  return most;
}

}  // namespace bobbin
