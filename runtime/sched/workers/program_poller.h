// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"

// Threads may wait for something outside of the runtime that does not announce itself, such as
// messages of another process. The program's poller looks whether it has come. Threads call
// it when they look for a task, and while they spin before they sleep, often and several at the
// same time. It must return soon. A worker without a thread does not call it, so the poller
// may use OpenMP.
//
// Nor does a thread that rests. The poller may fulfil an event and so end the last task of
// the region. A thread that is inside the region tells the primary thread of the end when it
// leaves, and a thread of another team tells it at once (task/model/completion.cpp). A resting
// thread would do neither, and the primary thread would sleep for ever.
namespace bobbin {

inline Atomic<int (*)()> program_poller{nullptr};

// True: something is still waited for, and it is worth looking again soon.
inline bool poll_program() {
  auto* look = program_poller.load(relaxed);
  return look != nullptr && look() != 0;
}

}  // namespace bobbin
