// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <sys/prctl.h>

#include <cstddef>

#include "platform/signals/signal_set.h"

namespace bobbin {

// Starts a detached kernel thread with a stack of `stack_bytes`. It inherits the caller's signal
// mask, affinity, nice value and policy. Returns false if no thread can be had.
inline bool start_detached(void* (*main)(void*), void* argument, size_t stack_bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t id;
  const bool started = pthread_create(&id, &attributes, main, argument) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

// The same for a thread of the runtime's own, which must not take a signal from the program.
inline bool start_without_signals(void* (*main)(void*), void* argument, size_t stack_bytes) {
  const SignalSet before = kernel_mask();
  set_kernel_mask(kMaskOfOwnThreads);
  const bool started = start_detached(main, argument, stack_bytes);
  set_kernel_mask(before);
  return started;
}

// The caller is woken precisely at the times that it asks for. By default the kernel may be late by
// 50 us. Threads and processes that the caller starts inherit this, so it is for threads that
// execute no code of the program.
inline void use_least_timer_slack() { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

}  // namespace bobbin
