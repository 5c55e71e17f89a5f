// SPDX-License-Identifier: Apache-2.0
#include "construct/settings.h"

#include <cstdlib>
#include <cstring>

#include "fiber/stack.h"
#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "sched/pool.h"
#include "task/icvs.h"
#include "team/root.h"

namespace bobbin {
namespace {

GlobalIcvs& settings() {
  init_runtime();  // or the environment would be read over what the program says
  return changeable_icvs();
}

}  // namespace

void change_stack_size(size_t bytes) {
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

// Never freed: settings point into it, and somebody may be reading those of an earlier call.
struct KeptText {
  KeptText* earlier;
  char* text() { return reinterpret_cast<char*>(this + 1); }
};
KeptText* kept_texts;

char* keep_text(const char* from, size_t length) {
  auto* kept = static_cast<KeptText*>(malloc(sizeof(KeptText) + length + 1));
  if (kept == nullptr) fatal("out of memory for settings");
  kept->earlier = kept_texts;
  kept_texts = kept;
  memcpy(kept->text(), from, length);
  kept->text()[length] = '\0';
  return kept->text();
}

}  // namespace

void set_environment_defaults(const char* list, size_t length) {
  char* text = keep_text(list, length);
  constexpr unsigned kMost = 64;
  const char* entries[kMost];
  unsigned count = 0;
  for (char* at = text; at != nullptr && count < kMost;) {
    char* bar = strchr(at, '|');
    if (bar != nullptr) *bar++ = '\0';
    if (strchr(at, '=') != nullptr) entries[count++] = at;
    at = bar;
  }
  bool bound = settled_icvs().binds_threads();
  init_env_with(entries, count);
  GlobalIcvs& icvs = changeable_icvs();
  if (icvs.binds_threads() && !bound) {
    static OnceFlag said;
    warn_once(said, "threads are bound to places only if that is asked for before the start");
    icvs.initial.bind = ProcBind::False;
  }
  set_stack_size(icvs.stack_size);
  init_spin_limits();
  if (tls_thread != nullptr) *IcvChange() = icvs.initial;
}

}  // namespace bobbin
