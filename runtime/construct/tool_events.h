// SPDX-License-Identifier: Apache-2.0
// The tool is told of worksharing, masked and mutual exclusion. All functions are called only where
// tool::watched is true, unless they say otherwise.
#pragma once

#include "team/model/team.h"
#include "tool/events.h"

namespace bobbin {

// The thread enters a worksharing region of so many iterations or sections, and leaves it. A thread
// is in at most one; leaving none does nothing.
void tell_work_begin(Thread& thread, ompt_work_t type, uint64_t count);
void tell_work_end(Thread& thread);
// A taskloop or a distribute construct, which may enclose other work.
void tell_work(Thread& thread, ompt_work_t type, ompt_scope_endpoint_t endpoint, uint64_t count);

// Lives as long as a taskloop construct makes tasks. Used with or without a tool.
class WatchedTaskloop {
 public:
  WatchedTaskloop(Thread& thread, uint64_t count) : thread_(thread), count_(count) {
    tell(ompt_scope_begin);
  }
  ~WatchedTaskloop() { tell(ompt_scope_end); }
  WatchedTaskloop(const WatchedTaskloop&) = delete;
  WatchedTaskloop& operator=(const WatchedTaskloop&) = delete;

 private:
  void tell(ompt_scope_endpoint_t endpoint) const {
    if (tool::watched) [[unlikely]]
      tell_work(thread_, ompt_work_taskloop, endpoint, count_);
  }

  Thread& thread_;
  const uint64_t count_;
};

// The thread begins iterations of its work, from this value of the loop variable on.
void tell_iterations(Thread& thread, ompt_dispatch_t kind, uint64_t start, uint64_t iterations);
// It begins a section.
void tell_section(Thread& thread);

// The thread executes a single region, or passes it by.
void tell_single_begin(Thread& thread, bool executes);

// ordered with doacross dependences: the thread posts this iteration, or waits for it.
void tell_doacross(Thread& thread, ompt_dependence_type_t type, const uint64_t* vector,
                   unsigned dimensions);

void tell_masked(Thread& thread, ompt_scope_endpoint_t endpoint);

void tell_flush(Thread& thread);

// The thread combines its copies of a reduction with the originals.
void tell_reduction(Thread& thread, ompt_scope_endpoint_t endpoint);

// `which`: of ompt_cancel_flag_t.
void tell_cancel(Thread& thread, int which);

// --- Mutual exclusion. `code` is the address to which the program's call returns.

void tell_lock_init(ompt_mutex_t kind, const void* lock, unsigned hint, const void* code);
void tell_lock_destroy(ompt_mutex_t kind, const void* lock, const void* code);

// The wait for the mutex and having it, before and after it is locked.
void tell_acquire(ompt_mutex_t kind, const void* lock, const void* code);
void tell_acquired(ompt_mutex_t kind, const void* lock, const void* code);
void tell_released(ompt_mutex_t kind, const void* lock, const void* code);

// Its owner has set a nestable lock once more or once less.
void tell_nested(ompt_scope_endpoint_t endpoint, const void* lock, const void* code);

}  // namespace bobbin
