/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks for which Bobbin does more. A taskgraph region is a taskgroup region whose statements are
 * executed each time, as if no record had been found. A policy changes no result. */
#include "team.h"

int bobbin_omp_taskgraph_begin(void** graphs, unsigned long long id, unsigned flags,
                               void* surroundings) {
  return bobbin_omp_taskgroup_begin(), 1;
}
void bobbin_omp_taskgraph_end(void) { bobbin_omp_taskgroup_end(); }

void bobbin_omp_replayable_task(function_type* function, void* data, unsigned long size,
                                unsigned long alignment,
                                const struct bobbin_omp_task_clauses* clauses,
                                void (*relocate)(void* data, void* surroundings)) {
  bobbin_omp_task_with(function, data, size, alignment, clauses);
}

void bobbin_omp_replayable_taskloop(function_type* function, void* data, unsigned long size,
                                    unsigned long alignment, unsigned flags, int priority,
                                    unsigned long long count, int division,
                                    unsigned long long value,
                                    void (*relocate)(void* data, void* surroundings)) {
  bobbin_omp_taskloop(function, data, size, alignment, flags, priority, count, division, value);
}

void bobbin_omp_taskgroup_policy(const char* policy) {}

void bobbin_omp_taskgroup_scheduler(const void* scheduler, void* user) {
  bobbin_posix_fatal("a scheduler of the program's own needs Bobbin");
}

void bobbin_omp_transparent(int impex) {
  if (impex != bobbin_omp_not_impex) bobbin_posix_fatal("transparent tasks need Bobbin");
}
