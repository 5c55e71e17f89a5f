// SPDX-License-Identifier: Apache-2.0
#include "env/environment.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "env/syntax/hw_subset.h"
#include "platform/diagnostics.h"

namespace bobbin {
namespace detail {
constinit GlobalIcvs global_icvs_storage;
}

namespace {

constinit Settings settings_storage;
constinit StartStrings start;
// The subset is in force only if it confined the process before anything asked for the number of
// processors.
constinit const char* hw_subset_problem = "it was not set when OpenMP was first used";

// Like glibc's default for pthreads: the size of the main thread's stack. "Unlimited" is possible
// for one stack only, and a fiber's stack costs only the pages that it touches.
std::size_t default_stack_size() {
  constexpr std::size_t kUnlimited = std::size_t{8} << 20;
  constexpr std::size_t kLeast = std::size_t{64} << 10;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  if (limit.rlim_cur < kLeast) return kLeast;
  return limit.rlim_cur;
}

// Asked once: what changes later is followed elsewhere (sched/places/processor_changes.h).
const UsableProcessors& processors_at_start() {
  static constinit UsableProcessors known{.mask = 0};
  if (known.mask == 0) known = usable_processors();
  return known;
}

// If a name has two entries, the first counts.
void settle_by(const char* const* entries) {
  const Machine machine{processors_at_start(), default_stack_size(), hw_subset_problem, start};
  parse_environment(entries, machine, settings_storage);
  detail::global_icvs_storage = settings_storage.icvs;
  if (!settings_storage.icvs.warnings) silence_warnings(true);
}

}  // namespace

const Settings& environment_settings() { return settings_storage; }

// The kernel has put the strings one behind the other.
void note_start_environment() {
  if (__environ == nullptr || __environ[0] == nullptr) return;
  const char* const* entry = __environ;
  start.first = *entry;
  while (*entry != nullptr) start.last = *entry++;
}

void init_env() {
  if (const char* subset = getenv("KMP_HW_SUBSET")) {
    hw_subset_problem = confine_to_hw_subset(subset);
  }
  settle_by(__environ);
}

void init_env_with(const char* const* defaults, unsigned count) {
  unsigned given = 0;
  while (__environ != nullptr && __environ[given] != nullptr) given++;
  auto** all = static_cast<const char**>(malloc((given + count + 1) * sizeof(const char*)));
  if (all == nullptr) fatal("out of memory reading the environment");
  for (unsigned i = 0; i < given; i++) all[i] = __environ[i];
  for (unsigned i = 0; i < count; i++) all[given + i] = defaults[i];
  all[given + count] = nullptr;
  start.of_environment = given;
  settle_by(all);
  free(all);
}

GlobalIcvs& changeable_icvs() { return detail::global_icvs_storage; }

}  // namespace bobbin
