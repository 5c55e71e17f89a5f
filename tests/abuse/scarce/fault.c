// SPDX-License-Identifier: Apache-2.0
// A preload that makes calls fail after a pattern, so that the test can enumerate the failures:
//   ABUSE_FAULT=FUNCTION:PATTERN[:K]   FUNCTION pthread_create | mmap | mprotect | malloc | madvise
//   PATTERN  none | kth (only the K-th call) | from (the K-th and all later ones) | odd | even
// malloc stands for the whole family. Counting starts when the program calls abuse_fault_arm(1).
// pthread_create fails with EAGAIN, and the others fail with ENOMEM.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum function { kPthreadCreate, kMmap, kMprotect, kMalloc, kMadvise, kFunctions };
static const char* const kNames[] = {"pthread_create", "mmap", "mprotect", "malloc", "madvise"};
enum pattern { kNone, kKth, kFrom, kOdd, kEven };

static enum function g_function = kFunctions;
static enum pattern g_pattern;
static long g_k;
static atomic_int g_armed;
static atomic_long g_calls[kFunctions];

static int (*real_pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
static void* (*real_mmap)(void*, size_t, int, int, int, off_t);
static int (*real_mprotect)(void*, size_t, int);
static int (*real_madvise)(void*, size_t, int);
// glibc's own names: dlsym needs memory before it can return malloc's address.
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

__attribute__((constructor)) static void init(void) {
  real_pthread_create = (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))dlsym(
      RTLD_NEXT, "pthread_create");
  real_mmap = (void* (*)(void*, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
  real_mprotect = (int (*)(void*, size_t, int))dlsym(RTLD_NEXT, "mprotect");
  real_madvise = (int (*)(void*, size_t, int))dlsym(RTLD_NEXT, "madvise");
  const char* plan = getenv("ABUSE_FAULT");
  if (plan == NULL) return;
  for (int i = 0; i < kFunctions; i++) {
    const size_t n = strlen(kNames[i]);
    if (strncmp(plan, kNames[i], n) == 0 && plan[n] == ':') {
      g_function = (enum function)i;
      plan += n + 1;
      break;
    }
  }
  if (strncmp(plan, "kth:", 4) == 0) g_pattern = kKth;
  if (strncmp(plan, "from:", 5) == 0) g_pattern = kFrom;
  if (strcmp(plan, "odd") == 0) g_pattern = kOdd;
  if (strcmp(plan, "even") == 0) g_pattern = kEven;
  const char* colon = strchr(plan, ':');
  g_k = colon != NULL ? atol(colon + 1) : 0;
}

__attribute__((visibility("default"))) void abuse_fault_arm(int on) { atomic_store(&g_armed, on); }

// Returns how often the function was called while armed; -1 for an unknown name.
__attribute__((visibility("default"))) long abuse_fault_calls(const char* name) {
  for (int i = 0; i < kFunctions; i++)
    if (strcmp(kNames[i], name) == 0) return atomic_load(&g_calls[i]);
  return -1;
}

static int fails(enum function f) {
  if (!atomic_load_explicit(&g_armed, memory_order_relaxed)) return 0;
  const long k = atomic_fetch_add(&g_calls[f], 1) + 1;
  if (f != g_function) return 0;
  switch (g_pattern) {
    case kNone:
      return 0;
    case kKth:
      return k == g_k;
    case kFrom:
      return k >= g_k;
    case kOdd:
      return k % 2 == 1;
    case kEven:
      return k % 2 == 0;
  }
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*start)(void*),
                   void* arg) {
  return fails(kPthreadCreate) ? EAGAIN : real_pthread_create(thread, attr, start, arg);
}

static void* map(void* address, size_t size, int prot, int flags, int fd, off_t offset) {
  if (fails(kMmap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real_mmap(address, size, prot, flags, fd, offset);
}

void* mmap(void* address, size_t size, int prot, int flags, int fd, off_t offset) {
  return map(address, size, prot, flags, fd, offset);
}

void* mmap64(void* address, size_t size, int prot, int flags, int fd, off_t offset) {
  return map(address, size, prot, flags, fd, offset);
}

int mprotect(void* address, size_t size, int prot) {
  if (fails(kMprotect)) {
    errno = ENOMEM;
    return -1;
  }
  return real_mprotect(address, size, prot);
}

int madvise(void* address, size_t size, int advice) {
  if (fails(kMadvise)) {
    errno = ENOMEM;
    return -1;
  }
  return real_madvise(address, size, advice);
}

static void* no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void* malloc(size_t size) { return fails(kMalloc) ? no_memory() : __libc_malloc(size); }
void* calloc(size_t n, size_t size) {
  return fails(kMalloc) ? no_memory() : __libc_calloc(n, size);
}
void* realloc(void* old, size_t size) {
  return fails(kMalloc) ? no_memory() : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails(kMalloc) ? no_memory() : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  void* memory = fails(kMalloc) ? NULL : __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *out = memory;
  return 0;
}
