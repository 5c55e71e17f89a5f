// SPDX-License-Identifier: Apache-2.0
// A thread of a team loads a library with thread-local storage inside the region. All threads have
// its initial values at once, and they keep what they write, whatever other threads open regions
// meanwhile.
#include <dlfcn.h>

#include "../common/abuse.h"

enum { kThreads = 8, kLoader = 5 };

static const char* g_path;
static void* g_handle;
static int (*g_fresh_errors)(void);
static void (*g_set)(long);
static int (*g_errors)(long);

static void load(void) {
  g_handle = dlopen(g_path, RTLD_NOW | RTLD_LOCAL);
  if (g_handle == NULL) dprintf(2, "%s\n", dlerror());
  CHECK(g_handle != NULL);
  g_fresh_errors = (int (*)(void))dlsym(g_handle, "tls_fresh_errors");
  g_set = (void (*)(long))dlsym(g_handle, "tls_set");
  g_errors = (int (*)(long))dlsym(g_handle, "tls_errors");
  CHECK(g_fresh_errors && g_set && g_errors);
}

static void* open_region(void* unused) {
  region(kThreads);
  return unused;
}

static void in_region(void) {
  // The memory of which the blocks are made has been used before.
  void* used[64];
  for (int i = 0; i < 64; i++) used[i] = memset(malloc(5000), 0x5a, 5000);
  for (int i = 0; i < 64; i++) free(used[i]);

  int wrong_fresh = 0, wrong_kept = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong_fresh, wrong_kept)
  {
    const int me = omp_get_thread_num();
    if (me == (omp_get_num_threads() > kLoader ? kLoader : 0)) {
      load();
      wrong_fresh += g_fresh_errors();
    }
#pragma omp barrier
    wrong_fresh += me != kLoader && g_fresh_errors() != 0;
    g_set(1000 + me);
#pragma omp barrier
#pragma omp single
    {
      pthread_t other;
      CHECK(pthread_create(&other, NULL, open_region, NULL) == 0);
      CHECK(pthread_join(other, NULL) == 0);
    }
    wrong_kept += g_errors(1000 + me);
#pragma omp parallel num_threads(2)
    {
      (void)omp_get_thread_num();
    }
    wrong_kept += g_errors(1000 + me);
  }
  CHECK(wrong_fresh == 0);
  CHECK(wrong_kept == 0);
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong_kept)
  wrong_kept += g_errors(1000 + omp_get_thread_num());
  CHECK(wrong_kept == 0);
}

static void check_in_child(void) {
  int wrong = 0;
  load();
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong)
  {
    wrong += g_fresh_errors();
    g_set(omp_get_thread_num());
#pragma omp barrier
    wrong += g_errors(omp_get_thread_num());
  }
  CHECK(wrong == 0);
  // The threads of this root end.
  pthread_t other;
  CHECK(pthread_create(&other, NULL, open_region, NULL) == 0);
  CHECK(pthread_join(other, NULL) == 0);
}

// A thread of the team forks a child, and that child forks another one.
static void in_children(void) {
  region(kThreads);
  for (int forking = 0; forking < kThreads; forking += 3) {
    int failed = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : failed)
    if (omp_get_thread_num() == forking) {
      const pid_t child = fork_child();
      if (child == 0) {
        const pid_t grandchild = fork_child();
        if (grandchild != 0) failed = reap(grandchild);
        check_in_child();
        _exit(failed);
      }
      failed = reap(child);
    }
    CHECK(failed == 0);
  }
}

// usage: dl_tls_inside region|children LIBRARY
int main(int argc, char** argv) {
  CHECK(argc == 3);
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  g_path = argv[2];
  strcmp(argv[1], "region") == 0 ? in_region() : in_children();
  return 0;
}
