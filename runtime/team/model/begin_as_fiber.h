// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/worker.h"
#include "team/model/thread.h"

namespace bobbin {

// The first function on a thread's stack, where a worker switches to it as to a fiber that goes on.
template <LeavingFor (*kPart)(void*)>
void begin_as_fiber(void* message) {
  static_cast<Worker*>(message)->arrive();
  const LeavingFor loop = kPart(tls_thread);
  void* unused;
  bobbin_switch_context(&unused, loop.load, loop.message,
                        static_cast<Worker*>(loop.message)->native_tls);
}

}  // namespace bobbin
