/* SPDX-License-Identifier: Apache-2.0 */
/* A taskgraph region is a taskgroup region whose statements are executed each time. Nothing is
 * recorded, as if no record had been found. */
#include "tasks.h"

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

int bobbin_omp_taskgraph_begin(void** graphs, unsigned long long id, unsigned flags,
                               void* surroundings) {
  (void)graphs, (void)id, (void)flags, (void)surroundings;
  bobbin_omp_taskgroup_begin();
  return 1;
}

void bobbin_omp_taskgraph_end(void) { bobbin_omp_taskgroup_end(); }

void bobbin_omp_replayable_task(function_type* function, void* data, unsigned long size,
                                unsigned long alignment,
                                const struct bobbin_omp_task_clauses* clauses,
                                void (*relocate)(void* data, void* surroundings)) {
  (void)relocate;
  bobbin_omp_task_with(function, data, size, alignment, clauses);
}

void bobbin_omp_replayable_taskloop(function_type* function, void* data, unsigned long size,
                                    unsigned long alignment, unsigned flags, int priority,
                                    unsigned long long count, int division,
                                    unsigned long long value,
                                    void (*relocate)(void* data, void* surroundings)) {
  (void)relocate;
  bobbin_omp_taskloop(function, data, size, alignment, flags, priority, count, division, value);
}

/* NOLINTEND(readability-identifier-naming) */
