// SPDX-License-Identifier: Apache-2.0
// What libomptarget, where a program has it, asks of the host's runtime about the task in which it
// deals with a device. It would leave a task that waits for its device and have it queued once
// more; here the task stays where it is, and the monitor sees to it that others go on.
#include <cstdint>

#include "abi/export.h"

BOBBIN_ENTRY bool __kmpc_omp_has_task_team(int32_t) { return false; }

BOBBIN_ENTRY void** __kmpc_omp_get_target_async_handle_ptr(int32_t) { return nullptr; }
