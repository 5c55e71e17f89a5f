// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <cstddef>

namespace bobbin {

// Starts a kernel thread that nobody waits for, with a stack of so many bytes. It inherits the
// caller's signal mask and affinity. False: there is none to be had.
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

}  // namespace bobbin
