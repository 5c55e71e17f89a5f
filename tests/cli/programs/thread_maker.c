// SPDX-License-Identifier: Apache-2.0
// A library with its own pthread_create; with ALLOCATOR, like the one of an allocator.
#include <dlfcn.h>
#include <pthread.h>

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) {
  __typeof__(&pthread_create) next =
      (__typeof__(&pthread_create))dlsym(RTLD_NEXT, "pthread_create");
  return next(thread, attributes, function, argument);
}

#if defined(ALLOCATOR)
int mallctl(void) { return 0; }
#endif
