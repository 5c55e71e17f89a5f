// SPDX-License-Identifier: Apache-2.0
#include "task/create/resumable.h"

#include <cstring>

#include "platform/diagnostics.h"
#include "task/create/decision.h"
#include "task/create/make_task.h"
#include "task/model/childless.h"
#include "task/model/descriptor.h"
#include "task/run/execute.h"
#include "task/run/modes.h"
#include "task/run/ready.h"

namespace bobbin {
namespace {

// Who looks at each task, or orders tasks, gets ordinary ones.
bool wants_resumable(const Thread& thread) {
  return surely_deferred(thread) && !in_mode(*thread.member->team) && !tool::watched &&
         !looks_for_races();
}

void begin_frame(Frame& frame, int (*resume)(Frame*), Frame* caller) {
  frame.resume = resume;
  frame.caller = caller;
  frame.callee = nullptr;
  frame.arrays = nullptr;
  frame.at = 0;
}

// nullptr: no memory.
Task* make_child(Thread& thread, const bobbin_omp_resumable& form, const void* data) {
  auto get = [&](Task& parent) {
    Task* task = make_descriptor(thread, WithExtras::No, sizeof(Resumption) + form.frame_size,
                                 alignof(Frame));
    if (task != nullptr) task->inherit(parent, false, true);
    return task;
  };
  return make_task(thread, get, [&](Task& task) {
    task.function = form.function;
    task.tied = kTiedByFrames;
    auto& resumption = *new (task.data) Resumption;
    resumption.innermost = &resumption.outermost();
    resumption.team = thread.member->team;
    resumption.departure = nullptr;
    begin_frame(resumption.outermost(), form.resume, nullptr);
    if (form.data_size != 0) memcpy(&resumption.outermost() + 1, data, form.data_size);
  });
}

}  // namespace

bool defer_resumable(Thread& thread, const bobbin_omp_resumable& form, const void* data) {
  if (!wants_resumable(thread)) return false;
  Task* task = make_child(thread, form, data);
  if (task == nullptr) return false;
  queue_or_begin(thread, *task);
  return true;
}

Way make_way(Thread& thread, Frame& frame, const bobbin_omp_resumable& form, const void* data) {
  if (!wants_resumable(thread)) return Way::NotMade;
  Task& task = *thread.task;
  Member& member = *thread.member;
  Task* child = make_child(thread, form, data);
  if (child == nullptr) return Way::NotMade;
  Resumption& resumption = Resumption::of(task);
  const char place = 0;
  resumption.innermost = &frame;
  resumption.departure = &place;
  if (!member.tasks.push(&task)) {
    execute(thread, *child);
    return Way::Resumed;
  }
  tell_about_task(thread, *member.team);
  // From here on the task may be anybody's, and may end.
  thread.task = thread.below_resumable;
  execute(thread, *child);
  if (member.tasks.deque().pop_if([&](const Task* one) { return one == &task; }) == nullptr) {
    return Way::Left;
  }
  // It may have been taken, left again elsewhere and come back in the meantime. Or it has ended,
  // and another task has its descriptor. This thread alone has whichever it is.
  if (!is_resumable(task) || Resumption::of(task).departure != &place) {
    queue_or_begin(thread, task);
    return Way::Left;
  }
  thread.task = &task;
  return Way::Resumed;
}

bool leave_for_children(Thread& thread, Frame& frame) {
  Task& task = *thread.task;
  if (childless(task)) return false;
  Resumption& resumption = Resumption::of(task);
  resumption.innermost = &frame;
  resumption.departure = nullptr;
  if (task.children.fetch_or(kContinuationWaiter, acq_rel) != 0) return true;
  task.children.fetch_and(~kContinuationWaiter, relaxed);
  return false;
}

Frame* make_call_frame(Thread& thread, Frame& caller, int (*resume)(Frame*), size_t size) {
  if (!wants_resumable(thread)) return nullptr;
  auto* frame = static_cast<Frame*>(take_data(*thread.worker, size, alignof(Frame)));
  if (frame == nullptr) return nullptr;
  begin_frame(*frame, resume, &caller);
  caller.callee = frame;
  return frame;
}

void free_call_frame(Thread& thread, Frame& frame) {
  free_arrays(thread, frame);
  give_data(*thread.worker, &frame);
}

namespace {

// Before the memory of an array.
struct alignas(Frame) FrameArray {
  FrameArray* next;
  void** array;
  size_t size;
};

}  // namespace

void make_array(Thread& thread, Frame& frame, void** array, size_t size) {
  auto** link = reinterpret_cast<FrameArray**>(&frame.arrays);
  while (*link != nullptr && (*link)->array != array) link = &(*link)->next;
  FrameArray* known = *link;
  if (known == nullptr || known->size < size) {
    FrameArray* next = nullptr;
    if (known != nullptr) {
      next = known->next;
      give_data(*thread.worker, known);
    }
    void* memory = take_data(*thread.worker, sizeof(FrameArray) + size, alignof(FrameArray));
    if (memory == nullptr) fatal("out of memory for an array of variable length");
    *link = known = new (memory) FrameArray{next, array, size};
  }
  *array = known + 1;
}

void free_arrays(Thread& thread, Frame& frame) {
  auto* one = static_cast<FrameArray*>(frame.arrays);
  while (one != nullptr) {
    FrameArray* next = one->next;
    give_data(*thread.worker, one);
    one = next;
  }
}

}  // namespace bobbin
