// SPDX-License-Identifier: Apache-2.0
// Entry points by which libomptarget, if a program has it, asks the host's runtime about the task
// in which it deals with a device. It would leave a task that waits for its device and have it
// queued again. Here the task stays where it is, and the monitor makes sure that other tasks
// continue.
#include <cstdint>

#include "abi/export.h"

BOBBIN_ENTRY bool __kmpc_omp_has_task_team(int32_t) { return false; }

BOBBIN_ENTRY void** __kmpc_omp_get_target_async_handle_ptr(int32_t) { return nullptr; }
