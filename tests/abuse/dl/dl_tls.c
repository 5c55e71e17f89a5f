// SPDX-License-Identifier: Apache-2.0
// A library with thread-local storage is loaded after regions have run. Each OpenMP thread, old or
// new, must see its own copy with the library's initial values. The same holds again after the
// library was unloaded.
#include <dlfcn.h>

#include "../common/abuse.h"

enum { kThreads = 8, kOuter = 3 };

struct library {
  void* handle;
  int (*fresh_errors)(void);
  void (*set)(long);
  int (*errors)(long);
  long* (*address)(void);
};

static struct library load(const char* path) {
  struct library lib = {dlopen(path, RTLD_NOW | RTLD_LOCAL), NULL, NULL, NULL, NULL};
  if (lib.handle == NULL) dprintf(2, "%s\n", dlerror());
  CHECK(lib.handle != NULL);
  lib.fresh_errors = (int (*)(void))dlsym(lib.handle, "tls_fresh_errors");
  lib.set = (void (*)(long))dlsym(lib.handle, "tls_set");
  lib.errors = (int (*)(long))dlsym(lib.handle, "tls_errors");
  lib.address = (long* (*)(void))dlsym(lib.handle, "tls_address");
  CHECK(lib.fresh_errors && lib.set && lib.errors && lib.address);
  return lib;
}

// Fresh copies, one for each thread, which keep their values across suspension and from region to
// region.
static void check_copies(const struct library* lib) {
  long* addresses[kThreads];
  int wrong_fresh = 0, wrong_kept = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong_fresh, wrong_kept)
  {
    const int me = omp_get_thread_num();
    wrong_fresh += lib->fresh_errors();
    addresses[me] = lib->address();
    lib->set(1000 + me);
#pragma omp barrier
    wrong_kept += lib->errors(1000 + me);
#pragma omp barrier
    wrong_kept += lib->address() != addresses[me];
  }
  CHECK(wrong_fresh == 0);
  CHECK(wrong_kept == 0);
  for (int i = 0; i < kThreads; i++)
    for (int j = 0; j < i; j++) CHECK(addresses[i] != addresses[j]);
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong_kept)
  wrong_kept += lib->errors(1000 + omp_get_thread_num());
  CHECK(wrong_kept == 0);
}

// Threads of inner teams that existed before the load have copies as well. The specification leaves
// open which copies those are. Here they are only read, and must be complete.
static void check_nested(const struct library* lib) {
  int wrong = 0;
#pragma omp parallel num_threads(kOuter) reduction(+ : wrong)
  {
#pragma omp parallel num_threads(kOuter) reduction(+ : wrong)
    {
      lib->set(77 + 10 * omp_get_ancestor_thread_num(1) + omp_get_thread_num());
#pragma omp barrier
      wrong += lib->errors(77 + 10 * omp_get_ancestor_thread_num(1) + omp_get_thread_num());
    }
  }
  CHECK(wrong == 0);
}

// usage: dl_tls LIBRARY...  (each with thread-local storage)
int main(int argc, char** argv) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  region(kThreads);
  nested_region(kOuter, kOuter);
  for (int turn = 0; turn < 10; turn++) {
    struct library libs[4];
    const int count = argc - 1;
    CHECK(count >= 1 && count <= 4);
    for (int i = 0; i < count; i++) libs[i] = load(argv[i + 1]);
    for (int i = 0; i < count; i++) check_copies(&libs[i]);
    for (int i = 0; i < count; i++) check_nested(&libs[i]);
    for (int i = 0; i < count; i++) {
      CHECK(dlclose(libs[i].handle) == 0);
      // If the library stayed mapped, it would not start with its initial values.
      CHECK(dlopen(argv[i + 1], RTLD_NOW | RTLD_NOLOAD) == NULL);
    }
    region(kThreads + turn % 3);
  }
  return 0;
}
