// SPDX-License-Identifier: Apache-2.0
// Resumable tasks of translated programs.
#include "task/create/resumable.h"
#include "abi/call_site.h"
#include "abi/export.h"
#include "bobbin/native.h"
#include "task/create/create.h"
#include "task/create/in_place.h"
#include "task/create/permits.h"
#include "team/model/team.h"

using namespace bobbin;

namespace {

constexpr unsigned kNotDeferred = bobbin_omp_final | bobbin_omp_undeferred;

// The task has been executed in place.
bool run_quickly(Thread& thread, const bobbin_omp_resumable& task, void* data, unsigned flags) {
  const bool deferrable = (flags & bobbin_omp_undeferred) == 0;
  if (!(deferrable ? surely_in_place(thread) : surely_undeferred(thread))) return false;
  run_in_place(thread, task.function, data, (flags & bobbin_omp_final) != 0,
               (flags & bobbin_omp_untied) == 0);
  return true;
}

void create_ordinary(Thread& thread, const bobbin_omp_resumable& task, void* data, unsigned flags) {
  TaskSpec spec;
  spec.function = task.function;
  spec.data = data;
  spec.size = task.data_size;
  spec.alignment = alignof(Frame);
  spec.deferrable = (flags & bobbin_omp_undeferred) == 0;
  spec.final_task = (flags & bobbin_omp_final) != 0;
  spec.tied = (flags & bobbin_omp_untied) == 0;
  spec.mergeable = (flags & bobbin_omp_mergeable) != 0;
  spec.may_make_way = true;
  create_task(thread, spec);
}

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_omp_resumable_task(const bobbin_omp_resumable* task, void* data,
                                                   unsigned flags) {
  BOBBIN_CALL_SITE_OF(task->function);
  Thread& thread = self();
  if (run_quickly(thread, *task, data, flags)) return;
  if ((flags & kNotDeferred) != 0 || !defer_resumable(thread, *task, data)) {
    create_ordinary(thread, *task, data, flags);
  }
}

BOBBIN_NATIVE_ENTRY int bobbin_omp_make_way(bobbin_omp_frame* frame,
                                            const bobbin_omp_resumable* task, void* data,
                                            unsigned flags) {
  BOBBIN_CALL_SITE_OF(task->function);
  Thread& thread = self();
  if (run_quickly(thread, *task, data, flags)) return 1;
  if ((flags & kNotDeferred) == 0) {
    const Way way = make_way(thread, *frame, *task, data);
    if (way != Way::NotMade) return way == Way::Resumed;
  }
  create_ordinary(thread, *task, data, flags);
  return 1;
}

BOBBIN_NATIVE_ENTRY int bobbin_omp_resumable_taskwait(bobbin_omp_frame* frame) {
  BOBBIN_CALL_SITE;
  return leave_for_children(self(), *frame) ? 0 : 1;
}

BOBBIN_NATIVE_ENTRY bobbin_omp_frame* bobbin_omp_call_frame(bobbin_omp_frame* caller,
                                                            int (*resume)(bobbin_omp_frame*),
                                                            unsigned long size) {
  return make_call_frame(self(), *caller, resume, size);
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_free_callee(bobbin_omp_frame* caller) {
  free_call_frame(self(), *caller->callee);
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_frame_array(bobbin_omp_frame* frame, void* array,
                                                unsigned long size) {
  make_array(self(), *frame, static_cast<void**>(array), size);
}
