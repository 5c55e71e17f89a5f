// SPDX-License-Identifier: Apache-2.0
// The callbacks that instruments define, each those that it needs: one for each event of OpenMP's
// interface (OpenMP 5.2, section 19.5), and those of Bobbin's own events (bobbin/tool.h).
#pragma once

#include "bobbin/tool.h"
#include "omp-tools.h"

namespace bobbin::insight {

// Threads, regions and worksharing.
void thread_begin(ompt_thread_t type, ompt_data_t* data);
void thread_end(ompt_data_t* data);
void parallel_begin(ompt_data_t* encountering, const ompt_frame_t* frame, ompt_data_t* region,
                    unsigned requested, int flags, const void* code);
void parallel_end(ompt_data_t* region, ompt_data_t* encountering, int flags, const void* code);
void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                   unsigned parallelism, unsigned thread_num, int flags);
void work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
          uint64_t count, const void* code);
void dispatch(ompt_data_t* region, ompt_data_t* task, ompt_dispatch_t kind, ompt_data_t instance);

// Tasks.
void task_create(ompt_data_t* encountering, const ompt_frame_t* frame, ompt_data_t* made, int flags,
                 int dependent, const void* code);
void dependences(ompt_data_t* task, const ompt_dependence_t* list, int count);
void task_schedule(ompt_data_t* left, ompt_task_status_t status, ompt_data_t* next);
void cancel(ompt_data_t* task, int flags, const void* code);
void phase(bobbin_phase_t which, ompt_scope_endpoint_t endpoint, const void* code);
void steal(ompt_data_t* victim, unsigned tasks, bobbin_distance_t distance);
int brief(bobbin_brief_t construct, ompt_data_t* thread, const void* code);

// Waits.
void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region,
                 ompt_data_t* task, const void* code);
void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region,
                      ompt_data_t* task, const void* code);
void reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region,
               ompt_data_t* task, const void* code);
void mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
                   const void* code);
void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void* code);
void mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void* code);
void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void* code);

}  // namespace bobbin::insight
