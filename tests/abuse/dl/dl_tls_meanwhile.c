// SPDX-License-Identifier: Apache-2.0
// Regions are opened while another thread loads a library with thread-local storage in the static
// area. When the load is complete, each OpenMP thread must have the library's variables.
#include <dlfcn.h>

#include "../common/abuse.h"
#include "dl_tls_meanwhile.h"

enum { kThreads = 8 };

// Returns the program's exit status.
static int speak_through(int file, int mine) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  CHECK(dup2(ends[1 - mine], file) == file);
  close(ends[1 - mine]);
  return ends[mine];
}

static void* load(void* path) {
  void* library = dlopen((const char*)path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) dprintf(2, "%s\n", dlerror());
  return library;
}

// usage: dl_tls_meanwhile LIBRARY  (which needs dl_tls_waiting_lib)
int main(int argc, char** argv) {
  CHECK(argc == 2);
  omp_set_dynamic(0);
  region(kThreads);
  const int waits = speak_through(kLoaderWaits, 0), goes_on = speak_through(kLoaderGoesOn, 1);
  pthread_t loader;
  void* library = NULL;
  char byte = 0;
  CHECK(pthread_create(&loader, NULL, load, argv[1]) == 0);
  CHECK(read(waits, &byte, 1) == 1);
  for (int i = 0; i < 3; i++) region(kThreads);
  // The resolver is called once per relocation: on AArch64 for two of them.
  const char bytes[8] = {0};
  CHECK(write(goes_on, bytes, sizeof bytes) == sizeof bytes);
  CHECK(pthread_join(loader, &library) == 0 && library != NULL);

  int (*fresh_errors)(void) = (int (*)(void))dlsym(library, "tls_fresh_errors");
  CHECK(fresh_errors != NULL);
  int wrong = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong)
  wrong += fresh_errors();
  CHECK(wrong == 0);
  return 0;
}
