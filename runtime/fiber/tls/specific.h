// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

// Values of pthread_setspecific. They lie in the control block, so each OpenMP thread has its own.
// But only the C library knows the destructor of a key, so the runtime notes it when the key is
// made.
namespace bobbin {

using KeyDestructor = void (*)(void*);

// A key was made, or (with nullptr) deleted.
void note_key(pthread_key_t key, KeyDestructor destructor);

// Does the same as the end of a thread: destroys and removes the calling thread's values. If a key
// was made before note_key() was in use, its value is removed without a destructor call.
void destroy_specific_values();

}  // namespace bobbin
