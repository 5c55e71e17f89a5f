// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/task_depend.h"
#include "abi/kmp/task_image.h"
#include "abi/priority.h"
#include "construct/task_reduction.h"
#include "platform/diagnostics.h"
#include "task/create/create.h"
#include "task/create/decision.h"
#include "task/create/prepared.h"
#include "task/depend/transparent.h"
#include "task/model/childless.h"
#include "task/model/task_pool.h"
#include "task/model/taskgroup.h"
#include "task/run/detach.h"
#include "task/run/wait.h"
#include "team/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

constexpr size_t kLargestBeside = 1024;  // a larger image gets an ImageHead
constexpr int32_t kNotQueued = 0;        // some entry points return it, and no code reads it

// The parts of an untied task run directly one after another: each ends at a scheduling point that
// the part itself has already passed. A part asks for the next one by submitting the task again,
// and then returns.
//
// A part may end on another thread than it began on (task/modes/continuation_stealing.h).
void run_parts(TaskImage& image) {
  image.flags |= kStarted;
  do {
    image.flags &= static_cast<uint16_t>(~kContinued);
    image.routine(global_thread_num(running_thread()), &image);
  } while ((image.flags & kContinued) != 0);
}

void destroy_privates(Thread& thread, TaskImage& image) {
  if ((image.flags & kDestructors) == 0) return;
  image.destructors.destructors(global_thread_num(thread), &image);
}

void run_data(void* data) {
  auto& image = *static_cast<TaskImage*>(data);
  if (!run_image(image)) task_of(image).discarded = true;
}
void run_data_apart(void* data) { run_data(static_cast<ImageHead*>(data) + 1); }

void* data_of(TaskImage& image) {
  return (image.flags & kApart) == 0 ? static_cast<void*>(&image) : &head_of(image);
}

size_t data_bytes_of(TaskImage& image) {
  return bytes_of(image) + ((image.flags & kApart) == 0 ? 0 : sizeof(ImageHead));
}

TaskSpec spec_of(TaskImage& image) {
  TaskSpec spec;
  spec.prepared = &task_of(image);
  spec.function = (image.flags & kApart) == 0 ? run_data : run_data_apart;
  spec.known_as = reinterpret_cast<void (*)(void*)>(reinterpret_cast<void*>(image.routine));
  spec.size = data_bytes_of(image);
  spec.deferrable = (image.flags & kUndeferred) == 0;
  spec.final_task = (image.flags & kFinal) != 0;
  spec.tied = (image.flags & kTied) != 0;
  if ((image.flags & kPriority) != 0) spec.priority = clamp_priority(image.priority.priority);
  return spec;
}

void submit(TaskImage& image, TaskSpec& spec) {
  void* handle;  // the code that needs it already has it
  if ((image.flags & kCompletedByOthers) != 0) spec.event_handle = &handle;
  create_task(self(), spec);
}

// Out of line, so that the entry point has no frame before the decision. The thread that the
// routine gets is the one that the program knows as `thread_num`.
[[gnu::noinline]] int32_t take_fast_path(Thread& thread, int32_t thread_num, TaskImage& image) {
  Task task(*thread.task, false, true);
  thread.task = &task;
  image.routine(thread_num, &image);
  end_in_place(thread, task);
  keep_small_block(thread, block_of(image));
  return kNotQueued;
}

constexpr unsigned kHasDescriptor = kDescribed | kApart;

// The same for a task that is untied, or that has a descriptor, which it does not need.
[[gnu::noinline]] int32_t run_at_once(Thread& thread, TaskImage& image) {
  run_in_place(thread, run_data, &image, false, (image.flags & kTied) != 0);
  if ((image.flags & kHasDescriptor) != 0) {
    free_prepared(thread, task_of(image));
  } else {
    keep_small_block(thread, block_of(image));
  }
  return kNotQueued;
}

// True if no clause matters here. A final clause does not matter within a final task.
bool may_take_fast_path(const Thread& thread, unsigned flags) {
  flags &= ~(kTied | kHasDescriptor);
  if (thread.task->final_task) return (flags & ~kFinal) == 0 && surely_undeferred(thread);
  return flags == 0 && surely_in_place(thread);
}

[[gnu::noinline]] int32_t submit_described(TaskImage& image) {
  if ((image.flags & kStarted) != 0) {
    image.flags |= kContinued;
    return kNotQueued;
  }
  Thread& thread = self();
  if (may_take_fast_path(thread, image.flags)) {
    if ((image.flags & (kTied | kHasDescriptor)) != kTied) return run_at_once(thread, image);
    return take_fast_path(thread, global_thread_num(thread), image);
  }
  TaskSpec spec = spec_of(image);
  spec.may_make_way = true;
  submit(image, spec);
  return kNotQueued;
}

// The compiler's request.
struct ImageRequest {
  uint32_t flags;
  size_t bytes;  // of the image itself; the shared variables come behind it
  size_t shareds_bytes;
  TaskRoutine routine;

  size_t shareds_at() const { return round_up(bytes, 8); }
  size_t all_bytes() const { return shareds_at() + round_up(shareds_bytes, 8); }

  // `ours`: flags that the compiler does not know.
  [[gnu::always_inline]] TaskImage* lay_out(void* at, uint16_t ours) const {
    auto* image = static_cast<TaskImage*>(at);
    image->shareds = shareds_bytes != 0 ? static_cast<char*>(at) + shareds_at() : nullptr;
    image->routine = routine;
    image->part = 0;
    image->flags = static_cast<uint16_t>((flags & kFlagsServed) | ours);
    image->size_words = static_cast<uint16_t>(all_bytes() / 8);
    return image;
  }
};

[[gnu::noinline]] int32_t wait_for_children() {
  taskwait(self());
  return kNotQueued;
}

TaskImage* make_apart(Thread& thread, const ImageRequest& request) {
  size_t bytes = request.all_bytes();
  Task* task = prepare_task(thread, sizeof(ImageHead) + bytes);
  if (task == nullptr) return nullptr;
  auto* head = new (task->data) ImageHead{task, bytes};
  return request.lay_out(head + 1, kApart);
}

// Tasks with these flags take no fast path, and their images get a descriptor at once.
constexpr unsigned kNotPlain = kDestructors | kCompletedByOthers;

TaskImage* make_beside(Thread& thread, const ImageRequest& request) {
  if ((request.flags & kNotPlain) == 0 && request.all_bytes() <= kSmallData) {
    void* block = take_small_block(thread);
    return block != nullptr ? request.lay_out(static_cast<Task*>(block) + 1, 0) : nullptr;
  }
  Task* task = prepare_task(thread, request.all_bytes());
  return task != nullptr ? request.lay_out(task->data, kDescribed) : nullptr;
}

// The routine of a taskwait with nowait, which has no structured block.
int32_t do_nothing(int32_t, TaskImage*) { return 0; }

// The event of a task with kCompletedByOthers, prepared with its image. The completing thread must
// not prepare it again: it may belong to another team, and the task is bound to the team in which
// it was made.
Event& event_of(TaskImage& image) { return task_of(image).extras->event; }

[[gnu::noinline]] TaskImage* make_image(uint32_t flags, size_t bytes, size_t shareds_bytes,
                                        TaskRoutine routine) {
  Thread& thread = self();
  const ImageRequest request{flags, bytes, shareds_bytes, routine};
  bool apart = request.all_bytes() > kLargestBeside;
  TaskImage* image = apart ? make_apart(thread, request) : make_beside(thread, request);
  if (image == nullptr) fatal("out of memory at a task construct");
  if ((flags & kDestructors) != 0) task_of(*image).must_run = true;
  if ((flags & kCompletedByOthers) != 0) {
    prepare_event(thread, task_of(*image), data_bytes_of(*image));
  }
  return image;
}

}  // namespace

namespace bobbin::kmp {

[[gnu::noinline]] Thread& running_thread() {
  asm volatile("");
  return self();
}

bool run_image(TaskImage& image) {
  Thread& thread = self();
  if ((image.flags & (kTied | kDestructors)) == kTied) [[likely]] {
    image.routine(global_thread_num(thread), &image);
    return true;
  }
  // A task with destructors is called although it is cancelled.
  const bool discarded =
      (image.flags & kDestructors) != 0 && tasks_cancelled(thread, thread.task->group);
  if (!discarded) run_parts(image);
  destroy_privates(running_thread(), image);
  return !discarded;
}

void warn_if_transparent(const TaskImage& image) {
  static OnceFlag said;
  if ((image.flags & kTransparent) == 0) return;
  warn_once(said, "transparent is not heeded on taskloop and on tasks that an if clause undefers");
}

void discard_image(Thread& thread, TaskImage& image) {
  destroy_privates(thread, image);
  free_prepared(thread, task_of(image));
}

}  // namespace bobbin::kmp

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
  if (image->flags == kTied && surely_in_place(thread)) [[likely]]
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
  if (image->routine == nullptr) image->routine = do_nothing;
  TaskSpec spec = spec_of(*image);
  if ((image->flags & kTransparent) != 0) {
    if (!set_transparent(self(), Impex::Both)) fatal("out of memory for a transparent task");
  } else if ((image->flags & kCompletedByOthers) == 0 &&
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
  warn_if_transparent(*image);
  bool tied = (image->flags & kTied) != 0;
  Thread& thread = self();
  bool final_task = (image->flags & kFinal) != 0;
  begin_prepared(thread, task_of(*image), final_task, tied, take_impex(thread));
  if (!tied) image->flags |= kStarted;
}

BOBBIN_ENTRY void __kmpc_omp_task_complete_if0(const Ident*, int32_t, TaskImage* image) {
  Thread& thread = self();
  if ((image->flags & kContinued) != 0) run_parts(*image);
  destroy_privates(thread, *image);
  end_prepared(thread, task_of(*image), data_of(*image));
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
  if (thread != nullptr && childless(*thread->task)) return kNotQueued;
  return wait_for_children();
}

BOBBIN_ENTRY int32_t __kmpc_omp_taskyield(const Ident*, int32_t, int32_t) {
  taskyield(self());
  return kNotQueued;
}

BOBBIN_ENTRY void __kmpc_taskgroup(const Ident*, int32_t) { taskgroup_begin(self()); }
BOBBIN_ENTRY void __kmpc_end_taskgroup(const Ident*, int32_t) { end_reducing_taskgroup(self()); }
