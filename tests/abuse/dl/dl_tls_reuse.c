// SPDX-License-Identifier: Apache-2.0
// Threads end after a library whose thread-local storage they used was replaced by another library.
// The storage to which the runtime then gives the initial values must be the storage that the
// thread has.
#include <dlfcn.h>

#include "../common/abuse.h"

enum { kThreads = 8 };

static void* load(const char* path) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) dprintf(2, "%s\n", dlerror());
  CHECK(handle != NULL);
  return handle;
}

static void set_in_all(void* library, long value) {
  void (*set)(long) = (void (*)(long))dlsym(library, "tls_set");
  CHECK(set != NULL);
#pragma omp parallel num_threads(kThreads)
  set(value);
}

static void check_fresh_in_all(void* library) {
  int (*fresh_errors)(void) = (int (*)(void))dlsym(library, "tls_fresh_errors");
  CHECK(fresh_errors != NULL);
  int wrong = 0;
  // The initial thread existed before.
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong)
  if (omp_get_thread_num() != 0) wrong += fresh_errors();
  CHECK(wrong == 0);
}

static void end_threads(void) { CHECK(omp_pause_resource_all(omp_pause_soft) == 0); }

// usage: dl_tls_reuse SMALL LARGE  (libraries with thread-local storage)
int main(int argc, char** argv) {
  CHECK(argc == 3);
  omp_set_dynamic(0);
  region(kThreads);
  for (int turn = 0; turn < 3; turn++) {
    void* small = load(argv[1]);
    set_in_all(small, 7);
    CHECK(dlclose(small) == 0);
    // In the place of the other library. The threads have none of its variables yet.
    void* large = load(argv[2]);
    end_threads();
    check_fresh_in_all(large);
    set_in_all(large, 8);
    end_threads();
    check_fresh_in_all(large);
    end_threads();
    CHECK(dlclose(large) == 0);
  }
  return 0;
}
