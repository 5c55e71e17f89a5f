// SPDX-License-Identifier: Apache-2.0
#include "bobbin/bobbin.h"

#include "abi/export.h"
#include "bobbin/native.h"
#include "platform/diagnostics.h"
#include "task/model/icvs.h"
#include "task/modes/policy.h"

using namespace bobbin;

BOBBIN_NATIVE_ENTRY int bobbin_set_task_policy(const char* policy) {
  TaskPolicy wanted = current_icvs().task_policy;
  if (policy == nullptr) {
    wanted = global_icvs().initial.task_policy;
  } else if (!read_task_policy(policy, PolicyPart::All, wanted)) {
    return -1;
  }
  IcvChange()->task_policy = wanted;
  return 0;
}

BOBBIN_NATIVE_ENTRY int bobbin_set_taskgroup_policy(const char* policy) {
  return policy != nullptr && set_taskgroup_policy(self(), policy) ? 0 : -1;
}

BOBBIN_NATIVE_ENTRY size_t bobbin_get_task_policy(char* buffer, size_t size) {
  TextOut out(buffer, size);
  print_task_policy(current_icvs().task_policy, out);
  return out.length();
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_taskgroup_policy(const char* policy) {
  if (policy == nullptr || set_taskgroup_policy(self(), policy)) return;
  fatal("ompx_task_schedule: '%s' is no policy of a taskgroup", policy);
}
