// SPDX-License-Identifier: Apache-2.0
//
// Time, OMP_DISPLAY_ENV on demand, resources and tools (OpenMP 5.2, sections 18.6, 18.10, 18.14,
// 18.15).
#include <time.h>

#include "abi/call_site.h"
#include "abi/omp/omp_api.h"
#include "construct/regions/target.h"
#include "env/display.h"
#include "sched/workers/pool.h"
#include "team/model/root.h"
#include "team/regions/roots.h"
#include "team/regions/team_store.h"
#include "tool/events.h"

using namespace bobbin;

namespace {

constexpr int kPauseSoft = 1;
constexpr int kPauseHard = 2;
constexpr int kPauseStopTool = 3;  // OpenMP 6.0: like hard, and the tool ends; there is none
constexpr int kPaused = 0;
constexpr int kNotPaused = -1;
constexpr int kNoTool = -2;      // omp_control_tool_notool
constexpr int kNoCallback = -1;  // omp_control_tool_nocallback

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double omp_get_wtime() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return seconds(now);
}

double omp_get_wtick() {
  timespec resolution;
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return seconds(resolution);
}

void omp_display_env(int verbose) {
  init_runtime();
  display_env(verbose != 0 ? EnvDetail::Verbose : EnvDetail::Standard);
}

// Soft and hard do the same, as in libgomp: the threads of the caller's teams end. With them go
// their threadprivate variables, their stacks and the memory kept for their next tasks.
int omp_pause_resource_all(int kind) {
  if (kind < kPauseSoft || kind > kPauseStopTool) return kNotPaused;
  Thread& thread = self();
  if (thread.member->team->level > 0) return kNotPaused;
  dissolve_kept_teams(thread);
  give_back_idle_data(*thread.worker);
  pause_pool();
  return kPaused;
}

int omp_pause_resource(int kind, int device) {
  return is_host_device(device) ? omp_pause_resource_all(kind) : kNotPaused;
}

int omp_control_tool(int command, int modifier, void* argument) {
  BOBBIN_CALL_SITE;
  init_runtime();
  if (!tool::watched) return kNoTool;
  const ompt_callback_control_tool_t callback = tool::callbacks.control_tool;
  if (callback == nullptr) return kNoCallback;
  return callback(static_cast<uint64_t>(command), static_cast<uint64_t>(modifier), argument,
                  self().tool.code);
}
