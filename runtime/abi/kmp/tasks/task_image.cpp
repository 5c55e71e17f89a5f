// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/tasks/task_image.h"

#include <cstring>
#include <new>

#include "abi/kmp/ident.h"
#include "abi/priority.h"
#include "platform/diagnostics.h"
#include "task/model/taskgroup.h"
#include "team/members/tool_events.h"

namespace bobbin::kmp {
namespace {

constexpr size_t kLargestBeside = 1024;  // a larger image gets an ImageHead

void run_data_apart(void* data) { run_data(static_cast<ImageHead*>(data) + 1); }

// For a recorded task. The image holds the address of something inside it; each execution of the
// task uses the addresses of shared variables in the recorded copy.
void copy_image(void* to, void* from) {
  auto& image = *static_cast<TaskImage*>(from);
  auto* copy = static_cast<TaskImage*>(memcpy(to, from, bytes_of(image)));
  if (image.shareds == nullptr) return;
  copy->shareds =
      static_cast<char*>(to) + (static_cast<char*>(image.shareds) - static_cast<char*>(from));
}

void copy_image_apart(void* to, void* from) {
  auto* head = static_cast<ImageHead*>(from);
  auto* copy = new (to) ImageHead(*head);
  copy_image(copy + 1, head + 1);
}

TaskImage* make_apart(Thread& thread, const ImageRequest& request) {
  size_t bytes = request.all_bytes();
  Task* task = prepare_task(thread, sizeof(ImageHead) + bytes);
  if (task == nullptr) return nullptr;
  auto* head = new (task->data) ImageHead{task, bytes};
  return request.lay_out(head + 1, kApart);
}

TaskImage* make_beside(Thread& thread, const ImageRequest& request) {
  if ((request.flags & kNotPlain) == 0 && request.all_bytes() <= kSmallData) {
    void* block = take_small_block(thread);
    return block != nullptr ? request.lay_out(static_cast<Task*>(block) + 1, 0) : nullptr;
  }
  Task* task = prepare_task(thread, request.all_bytes());
  return task != nullptr ? request.lay_out(task->data, kDescribed) : nullptr;
}

}  // namespace

void run_data(void* data) {
  auto& image = *static_cast<TaskImage*>(data);
  if (!run_image(image)) task_of(image).discarded = true;
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
  spec.rare = &kReplayable;
  spec.copy = (image.flags & kApart) == 0 ? copy_image : copy_image_apart;
  spec.deferrable = (image.flags & kUndeferred) == 0;
  spec.final_task = (image.flags & kFinal) != 0;
  spec.tied = (image.flags & kTied) != 0;
  spec.mergeable = (image.flags & kUndeferred) != 0;
  if ((image.flags & kPriority) != 0) spec.priority = clamp_priority(image.priority.priority);
  return spec;
}

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

// The parts of an untied task run directly one after another: each ends at a scheduling point that
// the part itself has already passed. A part asks for the next one by submitting the task again,
// and then returns.
//
// A part may end on another thread than it began on (task/modes/continuation_stealing.h).
void run_parts(TaskImage& image) {
  if (tool::watched) [[unlikely]]
    set_exit_frame(self(), __builtin_frame_address(0));
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

[[gnu::noinline]] Thread& running_thread() {
  asm volatile("");
  return self();
}

bool run_image(TaskImage& image) {
  Thread& thread = self();
  if (tool::watched) [[unlikely]]
    set_exit_frame(thread, __builtin_frame_address(0));
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
