// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/tasks/task_submit.h"

#include "abi/call_site.h"
#include "abi/kmp/ident.h"
#include "task/create/create.h"
#include "task/create/decision.h"
#include "task/create/in_place.h"
#include "task/create/prepared.h"
#include "task/model/tool_events.h"
#include "tool/own_events.h"

namespace bobbin::kmp {
namespace {

constexpr unsigned kHasDescriptor = kDescribed | kApart;

// The same for a task that is untied or final, or that has a descriptor, which it does not need.
[[gnu::noinline]] int32_t run_at_once(Thread& thread, TaskImage& image) {
  run_in_place(thread, run_data, &image, (image.flags & kFinal) != 0, (image.flags & kTied) != 0);
  if ((image.flags & kHasDescriptor) != 0) {
    free_prepared(thread, task_of(image));
  } else {
    keep_small_block(thread, block_of(image));
  }
  return kNotQueued;
}

// True if no clause matters here.
bool may_take_fast_path(Thread& thread, unsigned flags) {
  return (flags & ~(kTied | kHasDescriptor | kFinal)) == 0 && surely_in_place(thread);
}

}  // namespace

void submit(TaskImage& image, TaskSpec& spec) {
  void* handle;  // the code that needs it already has it
  if ((image.flags & kCompletedByOthers) != 0) spec.event_handle = &handle;
  RareSpec rare = kReplayable;
  rare.for_pool = (image.flags & kForPool) != 0;
  if (rare.for_pool) spec.rare = &rare;
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

// A tool is told of the task, which is executed in place, in all events.
[[gnu::noinline]] int32_t run_told(Thread& thread, int32_t thread_num, TaskImage& image,
                                   const void* code) {
  void* const frame = __builtin_frame_address(0);
  const CallSite call_site(thread, code, frame);
  tool::TaskState state;
  tell_plain_task_create(thread, state, 0);
  tell_task_switch(thread, state, frame);
  take_fast_path(thread, thread_num, image);
  tell_task_end(thread, state, end_status(thread, thread.task->group));
  return kNotQueued;
}

int32_t run_watched(Thread& thread, TaskImage& image, const void* code) {
  code = place_of_call(code, reinterpret_cast<const void*>(image.routine));
  const int32_t thread_num = global_thread_num(thread);
  if (tool::told_briefly(bobbin_brief_task, thread.tool.data, code)) {
    return take_fast_path(thread, thread_num, image);
  }
  return run_told(thread, thread_num, image, code);
}

[[gnu::noinline]] int32_t submit_described(TaskImage& image) {
  if ((image.flags & kStarted) != 0) {
    image.flags |= kContinued;
    return kNotQueued;
  }
  if (tool::watched && image.flags == kTied && tls_thread != nullptr &&
      surely_in_place_watched(*tls_thread)) {
    return run_watched(*tls_thread, image, BOBBIN_RETURN_ADDRESS);
  }
  BOBBIN_CALL_SITE_OF(image.routine);
  Thread& thread = self();
  if (global_icvs().free_agents == 0) image.flags &= static_cast<uint16_t>(~kForPool);
  if (may_take_fast_path(thread, image.flags)) {
    if ((image.flags & (kTied | kHasDescriptor | kFinal)) != kTied)
      return run_at_once(thread, image);
    return take_fast_path(thread, global_thread_num(thread), image);
  }
  TaskSpec spec = spec_of(image);
  spec.may_make_way = true;
  submit(image, spec);
  return kNotQueued;
}

}  // namespace bobbin::kmp
