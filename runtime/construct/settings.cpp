// SPDX-License-Identifier: Apache-2.0
#include "construct/settings.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "env/environment.h"
#include "env/settings.h"
#include "fiber/context/stack.h"
#include "platform/clocks/clock.h"
#include "platform/diagnostics.h"
#include "sched/workers/pool.h"
#include "task/model/icvs.h"
#include "team/regions/roots.h"

namespace bobbin {
namespace {

GlobalIcvs& settings() {
  init_runtime();  // otherwise the environment would later overwrite what the program sets
  return changeable_icvs();
}

}  // namespace

void change_stack_size(size_t bytes) {
  bytes = std::clamp(bytes, kLeastStack, kMostStack);
  settings().stack_size = bytes;
  set_stack_size(bytes);
}

void change_block_time(uint64_t nanoseconds) {
  settings().block_time_ns = nanoseconds;
  init_spin_limits();
}

void change_wait_policy(WaitPolicy policy) {
  GlobalIcvs& icvs = settings();
  icvs.wait_policy = policy;
  icvs.block_time_ns = kSpinUnset;
  init_spin_limits();
}

uint64_t block_time() {
  const GlobalIcvs& icvs = settled_icvs();
  if (icvs.block_time_ns != kSpinUnset) return icvs.block_time_ns;
  if (icvs.wait_policy == WaitPolicy::Active) return kSpinInfinite;
  const uint64_t most = spin_limits.most.load(relaxed);
  return most < SpinLimits::kForever ? most * 1000 / ticks_per_us() : kSpinInfinite;
}

void change_num_teams(unsigned count) { settings().nteams = count; }
void change_teams_thread_limit(unsigned limit) { settings().teams_thread_limit = limit; }

namespace {

// The list given to one call, cut into its entries. It is never freed: settings point into it, and
// another thread may be reading those of an earlier call.
struct Defaults {
  Defaults* earlier;
  size_t length;

  char* text() { return reinterpret_cast<char*>(this + 1); }

  template <class Visit>
  void each_entry(Visit visit) {
    for (const char* at = text(); at <= text() + length; at += strlen(at) + 1) {
      if (strchr(at, '=') != nullptr) visit(at);
    }
  }

  // Does the variable's value in force come from this list? It does not if the environment has the
  // variable, too.
  bool decides(const char* variable) {
    const Settings::Given& from = speaker(environment_settings(), variable);
    return from.accepted() && from.name >= text() && from.name <= text() + length;
  }
};
constinit Defaults* last_defaults = nullptr;

Defaults& keep_defaults(const char* list, size_t length) {
  auto* kept = static_cast<Defaults*>(malloc(sizeof(Defaults) + length + 1));
  if (kept == nullptr) fatal("out of memory for settings");
  kept->earlier = last_defaults;
  kept->length = length;
  for (size_t i = 0; i < length; i++) kept->text()[i] = list[i] == '|' ? '\0' : list[i];
  kept->text()[length] = '\0';
  last_defaults = kept;
  return *kept;
}

// Reads the environment and the defaults of all calls anew. Of two defaults for a variable the
// later one counts.
void read_all_defaults() {
  unsigned count = 0;
  for (Defaults* call = last_defaults; call != nullptr; call = call->earlier) {
    call->each_entry([&](const char*) { count++; });
  }
  auto** entries = static_cast<const char**>(malloc((count + 1) * sizeof(const char*)));
  if (entries == nullptr) fatal("out of memory for settings");
  unsigned used = 0;
  for (Defaults* call = last_defaults; call != nullptr; call = call->earlier) {
    call->each_entry([&](const char* entry) { entries[used++] = entry; });
  }
  init_env_with(entries, count);
  free(entries);
}

// Settings that the program has changed by routines stay, unless the new list sets the same
// variable.
void keep_changes(const GlobalIcvs& before, Defaults& now) {
  GlobalIcvs& icvs = changeable_icvs();
  auto keep = [&](const char* variable, auto GlobalIcvs::* field) {
    if (!now.decides(variable)) icvs.*field = before.*field;
  };
  keep("OMP_STACKSIZE", &GlobalIcvs::stack_size);
  keep("OMP_WAIT_POLICY", &GlobalIcvs::wait_policy);
  keep("KMP_BLOCKTIME", &GlobalIcvs::block_time_ns);
  keep("OMP_NUM_TEAMS", &GlobalIcvs::nteams);
  keep("OMP_TEAMS_THREAD_LIMIT", &GlobalIcvs::teams_thread_limit);
}

// The same for the ICVs of the calling task.
void change_task(Defaults& now) {
  IcvChange task;
  const Icvs& initial = global_icvs().initial;
  auto take = [&](const char* variable, auto Icvs::* field) {
    if (now.decides(variable)) (*task).*field = initial.*field;
  };
  take("OMP_SCHEDULE", &Icvs::run_sched);
  take("OMP_ALLOCATOR", &Icvs::default_allocator);
  take("OMP_NUM_THREADS", &Icvs::nthreads);
  take("OMP_NUM_THREADS", &Icvs::threads_list);
  take("OMP_THREAD_LIMIT", &Icvs::thread_limit);
  take("OMP_MAX_ACTIVE_LEVELS", &Icvs::max_active_levels);
  take("OMP_DEFAULT_DEVICE", &Icvs::default_device);
  take("OMP_DYNAMIC", &Icvs::dyn);
  take("OMP_PROC_BIND", &Icvs::bind);
  take("BOBBIN_TASK_POLICY", &Icvs::task_policy);
}

}  // namespace

void set_environment_defaults(const char* list, size_t length) {
  const GlobalIcvs before = settings();
  Defaults& now = keep_defaults(list, length);
  read_all_defaults();
  keep_changes(before, now);
  GlobalIcvs& icvs = changeable_icvs();
  if (icvs.binds_threads() && !before.binds_threads()) {
    static OnceFlag said;
    warn_once(said, "threads are bound to places only if that is asked for before the start");
    icvs.initial.bind = ProcBind::False;
  }
  set_stack_size(icvs.stack_size);
  init_spin_limits();
  if (tls_thread != nullptr) change_task(now);
}

}  // namespace bobbin
