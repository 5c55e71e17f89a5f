// SPDX-License-Identifier: Apache-2.0
#include "fiber/tls/specific.h"

#include <limits.h>

#include "platform/atomic.h"

namespace bobbin {
namespace {

Atomic<KeyDestructor> destructors[PTHREAD_KEYS_MAX];

}  // namespace

void note_key(pthread_key_t key, KeyDestructor destructor) {
  if (key < PTHREAD_KEYS_MAX) destructors[key].store(destructor, release);
}

void destroy_specific_values() {
  // A destructor may set values again. POSIX lets an implementation give up after some rounds.
  bool again = true;
  for (int round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    again = false;
    for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
      void* value = pthread_getspecific(key);
      if (value == nullptr) continue;
      pthread_setspecific(key, nullptr);
      KeyDestructor destructor = destructors[key].load(acquire);
      if (destructor == nullptr) continue;
      destructor(value);
      again = true;
    }
  }
  for (pthread_key_t key = 0; again && key < PTHREAD_KEYS_MAX; key++) {
    if (pthread_getspecific(key) != nullptr) pthread_setspecific(key, nullptr);
  }
}

}  // namespace bobbin
