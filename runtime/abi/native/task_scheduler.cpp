// SPDX-License-Identifier: Apache-2.0
#include "bobbin/bobbin.h"
#include "task/user_scheduler.h"

using namespace bobbin;

extern "C" [[gnu::visibility("default")]] int bobbin_set_taskgroup_scheduler(
    const bobbin_scheduler* scheduler, void* user) {
  return scheduler != nullptr && set_taskgroup_scheduler(self(), *scheduler, user) ? 0 : -1;
}

extern "C" [[gnu::visibility("default")]] void bobbin_set_task_hint(unsigned long long hint) {
  set_task_hint(self(), hint);
}
