// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace bobbin {

// Of the calling thread: how many HandlersWait there are.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local unsigned handlers_wait = 0;

// As long as there is one, no handler of the program's runs on the calling thread
// (sched/signals.h). For where the runtime calls the C library with something in its hands that
// other threads wait for: in the runtime's own code no handler runs in any case.
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
