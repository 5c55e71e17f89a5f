// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/thread.h"

// Which threads keep a kernel thread, and how they take part in regions. See
// sched/kernel_threads/kept.h.
namespace bobbin {

// What a thread is about to take hold of.
enum class Hold : uint8_t {
  // It needs one and the same kernel thread. A root has that.
  Stay,
  // And no other thread may run there meanwhile: its clock, its name, its scheduling policy.
  Alone,
  // And the kernel threads that it makes would begin with it: its identity, its limits. So the
  // threads of its next teams do, if they are not there yet.
  HandDown,
};

// To be called by a function that takes hold of something, before it does. The caller may go on on
// another kernel thread. False: the thread should keep one, but none is to be had.
bool keep_kernel_thread(Hold hold);

// All threads that OpenMP makes from now on keep one: they may lock robust mutexes.
void keep_all_new_threads();

// A new fiber of that thread's team begins with its state, if there is one. False: it cannot.
bool inherit_home(Thread& thread, const Thread& forking);

// The kept thread, which the caller owns, ends its objects at home, and its home ends.
void end_at_home(Thread& thread);

}  // namespace bobbin
