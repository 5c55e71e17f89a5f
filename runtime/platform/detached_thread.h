// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <sys/prctl.h>

#include <cstddef>

namespace bobbin {

// Starts a kernel thread that nobody waits for, with a stack of so many bytes. It inherits the
// caller's signal mask, affinity, nice value and policy. False: there is none to be had.
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

// The caller means the times at which it wants to be woken; by default they blur by 50 us.
inline void mean_the_time() { prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

}  // namespace bobbin
