// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/tasks/task_depend.h"
#include "abi/kmp/tasks/task_submit.h"
#include "construct/reductions/task_reduction.h"
#include "platform/diagnostics.h"
#include "task/create/create.h"
#include "task/create/decision.h"
#include "task/create/prepared.h"
#include "task/depend/transparent.h"
#include "task/model/childless.h"
#include "task/model/taskgroup.h"
#include "task/model/tool_events.h"
#include "task/modes/transparent_order.h"
#include "task/run/modes.h"
#include "task/wait/detach.h"
#include "task/wait/wait.h"
#include "team/members/tool_events.h"
#include "team/model/team.h"
#include "tool/own_events.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// The routine of a taskwait with nowait, which has no structured block.
int32_t do_nothing(int32_t, TaskImage*) { return 0; }

// The program executes the task itself, so its state is with its descriptor.
[[gnu::noinline]] void watch_undeferred(Thread& thread, TaskImage& image) {
  Task& task = task_of(image);
  TaskSpec spec = spec_of(image);
  spec.deferrable = false;
  equip_prepared(task, WithExtras::Yes, spec.size);
  task.extras->team = thread.member->team;
  tell_task_create(thread, task, spec);
}

[[gnu::noinline]] int32_t wait_for_children() {
  if (taskwait_passes(tls_thread, BOBBIN_RETURN_ADDRESS)) return kNotQueued;
  BOBBIN_CALL_SITE;
  taskwait(self());
  return kNotQueued;
}

}  // namespace

BOBBIN_ENTRY TaskImage* __kmpc_omp_task_alloc(const Ident*, int32_t, uint32_t flags, size_t bytes,
                                              size_t shareds_bytes, TaskRoutine routine) {
  Thread* thread = tls_thread;
  const ImageRequest request{flags, bytes, shareds_bytes, routine};
  bool small = request.all_bytes() <= kSmallData && (flags & kNotPlain) == 0;
  if (small && thread != nullptr && thread->spare_blocks != nullptr) [[likely]]
    return request.lay_out(static_cast<Task*>(take_small_block(*thread)) + 1, 0);
  return make_image(flags, bytes, shareds_bytes, routine);
}

// A target region with nowait. On the host it is a task like others.
BOBBIN_ENTRY TaskImage* __kmpc_omp_target_task_alloc(const Ident*, int32_t, uint32_t flags,
                                                     size_t bytes, size_t shareds_bytes,
                                                     TaskRoutine routine, int64_t) {
  return make_image(flags, bytes, shareds_bytes, routine);
}

BOBBIN_ENTRY int32_t __kmpc_omp_task(const Ident*, int32_t thread_num, TaskImage* image) {
  Thread& thread = *tls_thread;
  if (image->flags == kTied && permitted_in_place(thread)) [[likely]]
    return take_fast_path(thread, thread_num, *image);
  return submit_described(*image);
}

// Submits the next part of an untied task, by the name that older compilers use.
BOBBIN_ENTRY int32_t __kmpc_omp_task_parts(const Ident*, int32_t, TaskImage* image) {
  return submit_described(*image);
}

BOBBIN_ENTRY int32_t __kmpc_omp_task_with_deps(const Ident*, int32_t, TaskImage* image,
                                               int32_t count, const DependInfo* infos,
                                               int32_t count_distinct,
                                               const DependInfo* infos_distinct) {
  BOBBIN_CALL_SITE_OF(image->routine);
  if (image->routine == nullptr) image->routine = do_nothing;
  TaskSpec spec = spec_of(*image);
  if ((image->flags & kTransparent) != 0) {
    if (!set_transparent(self(), Impex::Both)) fatal("out of memory for a transparent task");
  } else if ((image->flags & (kCompletedByOthers | kForPool)) == 0 &&
             create_without_predecessors(self(), spec)) {
    return kNotQueued;
  }
  DecodedDepend decoded({count, infos, count_distinct, infos_distinct});
  spec.depend = decoded.list();
  submit(*image, spec);
  return kNotQueued;
}

// An undeferred task: the program calls the routine itself, between these two calls.
BOBBIN_ENTRY void __kmpc_omp_task_begin_if0(const Ident*, int32_t, TaskImage* image) {
  BOBBIN_CALL_SITE_OF(image->routine);
  warn_if_transparent(*image);
  bool tied = (image->flags & kTied) != 0;
  Thread& thread = self();
  bool final_task = (image->flags & kFinal) != 0;
  if (tool::watched) [[unlikely]]
    watch_undeferred(thread, *image);
  encounter(thread, "undeferred tasks");
  call_site.keep();
  ask_undeferred(thread);  // for the next ones, which the program then begins itself
  begin_prepared(thread, task_of(*image), data_bytes_of(*image), final_task, tied,
                 take_impex(thread));
  if (tool::watched) [[unlikely]]
    set_exit_frame(thread, caller_frame(__builtin_frame_address(0)));
  if (!tied) image->flags |= kStarted;
}

BOBBIN_ENTRY void __kmpc_omp_task_complete_if0(const Ident*, int32_t, TaskImage* image) {
  Thread& thread = self();
  if ((image->flags & kContinued) != 0) run_parts(*image);
  destroy_privates(thread, *image);
  end_prepared(thread, task_of(*image), data_bytes_of(*image));
  if (tool::watched) [[unlikely]]
    CallSite::resume(thread);
}

// The affinity clause is only a hint: any free thread gets the task.
BOBBIN_ENTRY int32_t __kmpc_omp_reg_task_with_affinity(const Ident*, int32_t, TaskImage*, int32_t,
                                                       const void*) {
  return 0;
}

BOBBIN_ENTRY Event* __kmpc_task_allow_completion_event(const Ident*, int32_t, TaskImage* image) {
  return &event_of(*image);
}

BOBBIN_ENTRY void __kmpc_proxy_task_completed(int32_t, TaskImage* image) {
  fulfill_event(event_of(*image));
}
// The same, for threads outside of the team.
BOBBIN_ENTRY void __kmpc_proxy_task_completed_ooo(TaskImage* image) {
  fulfill_event(event_of(*image));
}

BOBBIN_ENTRY int32_t __kmpc_omp_taskwait(const Ident*, int32_t) {
  const Thread* thread = tls_thread;
  if (thread != nullptr && !tool::watched && childless(*thread->task)) return kNotQueued;
  return wait_for_children();
}

BOBBIN_ENTRY int32_t __kmpc_omp_taskyield(const Ident*, int32_t, int32_t) {
  BOBBIN_CALL_SITE;
  taskyield(self());
  return kNotQueued;
}

BOBBIN_ENTRY void __kmpc_taskgroup(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  taskgroup_begin(self());
}
BOBBIN_ENTRY void __kmpc_end_taskgroup(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  end_reducing_taskgroup(self());
}
