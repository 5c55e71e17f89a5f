// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"

namespace bobbin {

// Is the fiber, which runs, in a handler of the program for a routed signal
// (platform/signals/signal_actions.h)?
bool in_routed_handler(const Fiber& fiber);

// May it be in any handler of the program? A handler may run at any place, also in the middle of
// the runtime, and perhaps on an alternate stack, which belongs to the kernel thread. So it must
// not leave its thread to another kernel thread. Costs one system call.
//
// A handler for an unrouted signal is recognised because its signal is blocked although the thread
// does not block it. It is not recognised if it was installed with SA_NODEFER.
bool in_signal_handler(const Fiber& fiber);

}  // namespace bobbin
