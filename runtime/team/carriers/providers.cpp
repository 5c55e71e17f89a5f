// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/provider.h"

#include "team/carriers/bound_threads.h"
#include "team/carriers/fibers.h"
#include "team/carriers/kernel_thread.h"

namespace bobbin {

constexpr Provider fibers{.name = "fiber",
                          .threads_move = true,
                          .calls_resting = false,
                          .start = start_fiber,
                          .end = end_fiber,
                          .call_as = call_as_fiber,
                          .launch = launch_fibers,
                          .call_resting = call_worker_for_tasks};

constexpr Provider bound_fibers{.name = "fiber",
                                .threads_move = true,
                                .calls_resting = true,
                                .start = start_fiber,
                                .end = end_fiber,
                                .call_as = call_as_fiber,
                                .launch = launch_bound_threads,
                                .call_resting = call_bound_thread};

constexpr Provider kernel_threads{.name = "kernel",
                                  .threads_move = false,
                                  .calls_resting = true,
                                  .start = start_kernel_thread,
                                  .end = end_kernel_thread,
                                  .call_as = call_as_kernel_thread,
                                  .launch = launch_kernel_threads,
                                  .call_resting = call_resting_kernel_thread};

constinit Provider provider = fibers;

}  // namespace bobbin
