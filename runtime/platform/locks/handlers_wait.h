// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace bobbin {

// The number of HandlersWait objects of the calling thread.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local unsigned handlers_wait = 0;

// As long as the calling thread has one of these objects, no signal handler of the program runs on
// it (sched/signals/signals.h). Used where the runtime calls the C library and holds a resource
// that other threads wait for. In the runtime's own code no handler runs in any case.
class HandlersWait {
 public:
  HandlersWait() {
    handlers_wait = handlers_wait + 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~HandlersWait() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    handlers_wait = handlers_wait - 1;
  }
  HandlersWait(const HandlersWait&) = delete;
  HandlersWait& operator=(const HandlersWait&) = delete;
};

}  // namespace bobbin
