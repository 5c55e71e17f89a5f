// SPDX-License-Identifier: Apache-2.0
//
// Tasks (OpenMP 5.2, sections 18.5 and 18.11).
#include "abi/omp/omp_api.h"
#include "task/wait/detach.h"
#include "team/model/root.h"
#include "team/regions/roots.h"

using namespace bobbin;

int omp_in_final() { return self().task->final_task ? 1 : 0; }

int omp_in_explicit_task() { return self().task->kind != TaskKind::Implicit ? 1 : 0; }

int omp_get_max_task_priority() { return settled_icvs().max_task_priority; }

void omp_fulfill_event(std::uintptr_t event) { fulfill_event(*reinterpret_cast<Event*>(event)); }
