// SPDX-License-Identifier: Apache-2.0
// Processors that come and go while the program runs. Their number changes with
//   - the cpu quota of the process's cgroups;
//   - the affinity masks of the roots' kernel threads. The program changes them outside of regions,
//     others by taskset or a cpuset, and the kernel when a processor goes offline.
// A thread that forks, or asks for the number, looks at both. A look takes some system calls and
// two or three files, so there is one every 100 ms at most, and looks take at most a 500th of the
// time. Other forks only compare two times.
//
// What follows the number: how many workers are active, the masks of helpers and spares, the order
// in which work is looked for (sched/processors/whereabouts.h), and whether threads spin.
// BOBBIN_WORKERS fixes the number of workers. The default number of threads never changes, because
// programs make room for as many threads as they were told.
//
// If threads are bound to places, the masks of roots are places, and only the quota is followed.
#pragma once

#include "sched/forecasts/deadline.h"

namespace bobbin {

namespace detail {
inline Deadline next_look_at_processors;
}  // namespace detail

// Out of line: what is done every 100 ms.
void look_at_processors(uint64_t now);

inline void follow_processors(uint64_t now) {
  if (!detail::next_look_at_processors.ahead(now)) [[unlikely]]
    look_at_processors(now);
}

// How many the process may use, after a look if that is due.
unsigned processors_now();
// The quota by itself; 0: none.
unsigned quota_now();

// When the environment has been read.
void begin_to_follow_processors();

// In the child of a fork.
void go_on_following_in_child();

}  // namespace bobbin
