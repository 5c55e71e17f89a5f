// SPDX-License-Identifier: Apache-2.0
// dlopen, use and dlclose of a library that uses OpenMP, again and again. This program links no
// OpenMP library: the runtime comes with the library (or by a preload).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* g_path;

static void fail(const char* what) {
  fprintf(stderr, "dl_repeat: %s: %s\n", what, dlerror());
  exit(1);
}

static void use_once(int flags, int threads) {
  void* handle = dlopen(g_path, flags);
  if (handle == NULL) fail("dlopen");
  int (*work)(int) = (int (*)(int))dlsym(handle, "dl_work");
  if (work == NULL) fail("dlsym");
  if (work(threads) != 0 || work(2) != 0) fail("wrong result");
  if (dlclose(handle) != 0) fail("dlclose");
}

static int g_flags;

static void* in_pthread(void* arg) {
  for (int i = 0; i < 10; i++) use_once(g_flags, 3);
  return arg;
}

// usage: dl_repeat LIBRARY [local|global|deepbind|pthreads]
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  g_path = argv[1];
  g_flags = RTLD_NOW;
  if (strcmp(argv[2], "global") == 0)
    g_flags |= RTLD_GLOBAL;
  else
    g_flags |= RTLD_LOCAL;
  if (strcmp(argv[2], "deepbind") == 0) g_flags |= RTLD_DEEPBIND;
  if (strcmp(argv[2], "pthreads") == 0) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
      if (pthread_create(&threads[i], NULL, in_pthread, NULL) != 0) return 1;
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return 0;
  }
  for (int i = 0; i < 50; i++) use_once(g_flags, 4);
  return 0;
}
