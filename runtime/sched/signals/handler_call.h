// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/worker.h"

namespace bobbin {

// Who sets the kernel thread's mask for the handler and after it?
enum class MaskSet : uint8_t { ByKernel, ByRuntime };
void adopt_mask(Fiber& fiber, SignalSet blocked, MaskSet by);

// Calls a handler of the program as this fiber, which the calling kernel thread carries.
//
// While the handler runs, `context` has the mask of the fiber before the signal, and the handler
// may change it there. Afterwards `context` has the mask that the kernel is to set for the kernel
// thread.
void call_as(Fiber& fiber, const struct sigaction& action, int signal, siginfo_t* info,
             void* context, MaskSet by);

}  // namespace bobbin
