// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/start_up.h"

#include <thread>

#include "insight/live/process/layout.h"
#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"

namespace bobbin::insight {
namespace {

bool still_loads(int process) {
  const LiveModules modules(process);
  const LiveModule* runtime = modules.runtime();
  if (runtime == nullptr) return false;
  try {
    const Layout layout(Memory(process), *runtime);
  } catch (const StillLoading&) {
    return true;
  } catch (const OtherVersion&) {
    return false;
  }
  return false;
}

}  // namespace

bool wait_until_loaded(int process, std::chrono::seconds patience) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + patience;
  while (still_loads(process)) {
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace bobbin::insight
