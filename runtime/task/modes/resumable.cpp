// SPDX-License-Identifier: Apache-2.0
#include "task/model/resumable.h"

#include "task/model/constraint.h"
#include "task/modes/queue_rest.h"

namespace bobbin {

bool run_resumable(Thread& thread, Task& task) {
  ResumableBase base(thread);
  thread.resumable_base = &base;
  Resumption& resumption = Resumption::of(task);
  Frame* const outermost = &resumption.outermost();
  Frame* frame = resumption.innermost;
  bool ended;
  {
    const UntiedBase untied(thread, task);
    task.runner = &thread;
    task.must_run = true;  // cancelled or not, it has to come to its end
    thread.task = &task;
    do {
      ended = frame->resume(frame) != 0;
      if (frame == outermost) break;
      // Its caller takes the result and frees it.
      if (ended) frame = frame->caller;
    } while (ended);
  }
  if (ended) free_arrays(thread, *outermost);
  base.restore(thread);
  thread.resumable_base = base.outer;
  return ended;
}

void queue_resumable(Task& task) {
  task.children.fetch_and(~kContinuationWaiter, relaxed);
  queue_rest_of_waiter(task, *Resumption::of(task).team);
}

}  // namespace bobbin
