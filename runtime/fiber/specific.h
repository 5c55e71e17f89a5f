// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

// Values of pthread_setspecific. They lie in the control block, so each OpenMP thread has its own;
// but which destructor a key has is known to the C library only, and to who sees the key made.
namespace bobbin {

using KeyDestructor = void (*)(void*);

// A key was made, or (with nullptr) deleted.
void note_key(pthread_key_t key, KeyDestructor destructor);

// As at the end of a thread: the calling thread's values are destroyed and gone. A key that was
// made before anybody looked loses its value only.
void destroy_specific_values();

}  // namespace bobbin
