// SPDX-License-Identifier: Apache-2.0
// While a new thread's thread-local storage is made, a library gets its place there and another
// root opens a region. The new thread must have the library's variables. (A kernel thread made by
// glibc 2.36 does not have them.)
#include <dlfcn.h>

#include "../common/abuse.h"

static const char* g_path;
static int (*g_fresh_errors)(void);

static void* open_region(void* unused) {
  region(2);
  return unused;
}

static void meanwhile(void) {
  const char* path = g_path;
  if (path == NULL) return;
  g_path = NULL;
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) dprintf(2, "%s\n", dlerror());
  CHECK(library != NULL);
  g_fresh_errors = (int (*)(void))dlsym(library, "tls_fresh_errors");
  CHECK(g_fresh_errors != NULL);
  pthread_t other;
  CHECK(pthread_create(&other, NULL, open_region, NULL) == 0);
  CHECK(pthread_join(other, NULL) == 0);
}

// Returns the C library's own function when the runtime looks for it.
__attribute__((visibility("default"))) void* _dl_allocate_tls(void* memory) {
  static void* (*allocate)(void*);
  if (allocate == NULL) allocate = (void* (*)(void*))dlsym(RTLD_NEXT, "_dl_allocate_tls");
  void* made = allocate(memory);
  meanwhile();
  return made;
}

// usage: dl_tls_new_block LIBRARY
int main(int argc, char** argv) {
  CHECK(argc == 2);
  const char* provider = getenv("BOBBIN_PROVIDER");
  if (provider == NULL || strcmp(provider, "fiber") != 0) return kSkip;
  omp_set_dynamic(0);
  region(2);
  g_path = argv[1];
  int wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
  wrong += g_fresh_errors != NULL ? g_fresh_errors() : 1;
  CHECK(wrong == 0);
  return 0;
}
