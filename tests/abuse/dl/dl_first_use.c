// SPDX-License-Identifier: Apache-2.0
// A library whose constructor opens a region is loaded while another thread uses OpenMP for the
// first time. The constructor runs under the loader's lock, so the threads for which it waits must
// not need that lock.
#include <dlfcn.h>
#include <stdatomic.h>

#include "../common/abuse.h"

static atomic_int g_other;  // the other thread's number, while it runs
static atomic_int g_inside;
static int (*g_use)(void);

static void* use_openmp(void* unused) {
  atomic_store(&g_other, (int)syscall(SYS_gettid));
  while (!atomic_load(&g_inside)) sched_yield();
  CHECK(g_use() >= 0);
  atomic_store(&g_other, 0);
  return unused;
}

static int waits(int thread) {
  char path[64];
  char text[512];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  const int file = open(path, O_RDONLY);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* state = strrchr(text, ')');
  return state != NULL && state[1] == ' ' && state[2] == 'S';
}

// The library's constructor calls this.
__attribute__((visibility("default"))) void while_loading(void) {
  atomic_store(&g_inside, 1);
  for (int other; (other = atomic_load(&g_other)) != 0 && !waits(other);) sched_yield();
  region(4);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* name = argv[2];
  if (strcmp(name, "places") == 0) {
    setenv("OMP_PROC_BIND", "true", 1);
    setenv("OMP_PLACES", "threads", 1);
    CHECK(omp_get_num_procs() >= 1);  // reads the settings, but does not bind to a place yet
    g_use = omp_get_num_places;
  } else {
    g_use = omp_get_max_threads;
  }
  pthread_t other;
  CHECK(pthread_create(&other, NULL, use_openmp, NULL) == 0);
  while (!atomic_load(&g_other)) sched_yield();
  void* library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  CHECK(pthread_join(other, NULL) == 0);
  return 0;
}
