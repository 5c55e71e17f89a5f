// SPDX-License-Identifier: Apache-2.0
#include "bobbin/bobbin.h"

#include "abi/export.h"
#include "bobbin/native.h"
#include "platform/diagnostics.h"
#include "task/modes/user_scheduler.h"

using namespace bobbin;

BOBBIN_NATIVE_ENTRY int bobbin_set_taskgroup_scheduler(const bobbin_scheduler* scheduler,
                                                       void* user) {
  return scheduler != nullptr && set_taskgroup_scheduler(self(), *scheduler, user) ? 0 : -1;
}

BOBBIN_NATIVE_ENTRY void bobbin_set_task_hint(unsigned long long hint) {
  set_task_hint(self(), hint);
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_taskgroup_scheduler(const void* scheduler, void* user) {
  if (bobbin_set_taskgroup_scheduler(static_cast<const bobbin_scheduler*>(scheduler), user) == 0) {
    return;
  }
  fatal("ompx_task_schedule: the scheduler lacks a function, or there is no memory");
}
