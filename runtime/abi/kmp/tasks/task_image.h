// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "task/create/prepared.h"
#include "task/model/descriptor.h"
#include "task/model/task_spec.h"

// The parts of a task that the compilers' code knows.
namespace bobbin::kmp {

struct TaskImage;

using TaskRoutine = int32_t (*)(int32_t thread_num, TaskImage* image);

// kmp_task_t. Laid out by the compiler, which writes into it. The task's private copies follow,
// then the addresses of shared variables. It lies behind the task's descriptor, or behind the room
// for one.
struct TaskImage {
  union More {
    int32_t priority;
    TaskRoutine destructors;
  };

  void* shareds;
  TaskRoutine routine;
  int32_t part;         // untied: where to continue
  uint16_t flags;       // TaskFlag; to compilers this and the next are padding
  uint16_t size_words;  // of the image with all that belongs to it, in 8 bytes; not if kApart
  More destructors;     // where kDestructors is set
  More priority;        // where kPriority is
};
static_assert(sizeof(TaskImage) == 40 && offsetof(TaskImage, destructors) == 24);

// Flags from the compiler and, from kDescribed on, those of the runtime.
enum TaskFlag : uint16_t {
  kTied = 0x1,
  kFinal = 0x2,
  kUndeferred = 0x4,   // newer flangs: if(.false.); they use it for mergeable, too
  kDestructors = 0x8,  // of private copies
  kProxy = 0x10,       // completed by __kmpc_proxy_task_completed
  kPriority = 0x20,
  kDetachable = 0x40,
  kBegunInlined = 0x80,  // an undeferred task, by code in the program (bobbin/inline/kmp.c)
  kTransparent = 0x100,  // clang 23: with any argument, which is not passed
  kForPool = 0x200,      // threadset(omp_pool); of the compiler it is kCompilersForPool
  kCompletedByOthers = kProxy | kDetachable,
  kFlagsServed =
      kTied | kFinal | kUndeferred | kDestructors | kProxy | kPriority | kDetachable | kTransparent,
  kDescribed = 0x800,   // the task has its descriptor
  kStarted = 0x1000,    // an untied task runs
  kContinued = 0x2000,  // and wants to be called again, for its next part
  kApart = 0x4000,      // an ImageHead is before it; it is described, too
};

// From clang 22 on. In an image the bit has another meaning.
constexpr uint32_t kCompilersForPool = 0x80;

// Lies before images that are too large for TaskImage::size_words.
struct alignas(kCacheLine) ImageHead {
  Task* task;
  size_t bytes;
};

inline ImageHead& head_of(TaskImage& image) { return reinterpret_cast<ImageHead*>(&image)[-1]; }

inline size_t bytes_of(TaskImage& image) {
  return (image.flags & kApart) == 0 ? size_t{image.size_words} * 8 : head_of(image).bytes;
}

// The beginning of the block of an image that is not apart.
inline void* block_of(TaskImage& image) { return reinterpret_cast<Task*>(&image) - 1; }

inline Task& task_of(TaskImage& image) {
  if ((image.flags & kApart) != 0) [[unlikely]]
    return *head_of(image).task;
  if ((image.flags & kDescribed) != 0) return *static_cast<Task*>(block_of(image));
  image.flags |= kDescribed;
  return *make_descriptor_in(block_of(image), &image);
}

// Tasks with these flags take no fast path, and their images get a descriptor at once.
constexpr unsigned kNotPlain = kDestructors | kCompletedByOthers;

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
    image->flags =
        static_cast<uint16_t>((flags & kFlagsServed) |
                              (flags & kCompilersForPool) * (kForPool / kCompilersForPool) | ours);
    image->size_words = static_cast<uint16_t>(all_bytes() / 8);
    return image;
  }
};

// Ends the program if there is no memory.
TaskImage* make_image(uint32_t flags, size_t bytes, size_t shareds_bytes, TaskRoutine routine);

// The task as create_task() wants it described.
TaskSpec spec_of(TaskImage& image);

// The function of a task whose data is an image.
void run_data(void* image);

// The size of its data as the task layer knows them: the image, with the head if it has one.
size_t data_bytes_of(TaskImage& image);

// The event of a task with kCompletedByOthers, prepared with its image. The completing thread must
// not prepare it again: it may belong to another team, and the task is bound to the team in which
// it was made.
inline Event& event_of(TaskImage& image) { return task_of(image).extras->event; }

// Looks the calling thread up anew: after a call that may return on another thread, the address
// known before is that of the other thread.
Thread& running_thread();

// Runs the task's structured block to its end, and destroys its private copies. False: it only
// destroyed them, because the task is cancelled.
bool run_image(TaskImage& image);

// Runs the parts of an untied task from the current one on.
void run_parts(TaskImage& image);

void destroy_privates(Thread& thread, TaskImage& image);

// Warns, once, if the clause has no effect.
void warn_if_transparent(const TaskImage& image);

// For a task that never runs: destroys its private copies and frees it.
void discard_image(Thread& thread, TaskImage& image);

}  // namespace bobbin::kmp
