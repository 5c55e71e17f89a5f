// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/task_submit.h"

#include "abi/call_site.h"
#include "abi/kmp/ident.h"
#include "task/create/create.h"
#include "task/create/decision.h"
#include "task/create/in_place.h"
#include "task/create/prepared.h"

namespace bobbin::kmp {
namespace {

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

}  // namespace

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

[[gnu::noinline]] int32_t submit_described(TaskImage& image) {
  if ((image.flags & kStarted) != 0) {
    image.flags |= kContinued;
    return kNotQueued;
  }
  if (tool::watched && image.flags == kTied && tls_thread != nullptr &&
      in_place_told_briefly(*tls_thread, BOBBIN_RETURN_ADDRESS)) {
    return take_fast_path(*tls_thread, global_thread_num(*tls_thread), image);
  }
  BOBBIN_CALL_SITE;
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

}  // namespace bobbin::kmp
