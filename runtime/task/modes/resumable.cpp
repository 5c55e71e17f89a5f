// SPDX-License-Identifier: Apache-2.0
#include "task/model/resumable.h"

#include "task/modes/queue_rest.h"

namespace bobbin {

bool run_resumable(Thread& thread, Task& task) {
  Task* const below = thread.task;
  Task* const outer = thread.below_resumable;
  Resumption& resumption = Resumption::of(task);
  task.runner = &thread;
  task.must_run = true;  // cancelled or not, it has to come to its end
  thread.below_resumable = below;
  thread.task = &task;
  thread.withdraw_permits();
  Frame* frame = resumption.innermost;
  // The caller of a function that has ended takes the result, and gives its frame back.
  while (frame != nullptr && frame->resume(frame) != 0) frame = frame->caller;
  const bool ended = frame == nullptr;
  if (ended) free_arrays(thread, resumption.outermost());
  thread.task = below;
  thread.withdraw_permits();
  thread.below_resumable = outer;
  return ended;
}

void queue_resumable(Task& task) {
  task.children.fetch_and(~kContinuationWaiter, relaxed);
  queue_rest_of_waiter(task, *Resumption::of(task).team);
}

}  // namespace bobbin
