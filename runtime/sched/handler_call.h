// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/worker.h"

namespace bobbin {

// Who sets the kernel thread's mask for the handler and after it?
enum class MaskSet : uint8_t { ByKernel, ByRuntime };
void adopt_mask(Fiber& fiber, SignalSet blocked, MaskSet by);

// Calls a handler of the program as this fiber, which runs.
//
// The handler finds in the context the mask that its thread had before, and may change it there for
// the time after. The kernel finds there what the kernel thread is to have.
void call_as(Fiber& fiber, const struct sigaction& action, int signal, siginfo_t* info,
             void* context, MaskSet by);

}  // namespace bobbin
