// SPDX-License-Identifier: Apache-2.0
// A process forks while threads of a team look up symbols. Its child loads a library and unloads
// it: there the loader must not wait for look-ups that no thread will end.
#include <dlfcn.h>

#include "../common/abuse.h"

enum { kThreads = 8, kForks = 30 };

static int stop;

static void* look_up(void* unused) {
#pragma omp parallel num_threads(kThreads)
  {
    int stopped = 0;
    while (!stopped) {
      for (int i = 0; i < 100; i++)
        CHECK(dlsym(RTLD_DEFAULT, "there_is_none_of_this_name") == NULL);
#pragma omp atomic read
      stopped = stop;
    }
  }
  return unused;
}

static void load_and_unload(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  CHECK(library != NULL);
  CHECK(dlclose(library) == 0);
}

// usage: dl_fork_lookups LIBRARY
int main(int argc, char** argv) {
  CHECK(argc == 2);
  pthread_t looking;
  CHECK(pthread_create(&looking, NULL, look_up, NULL) == 0);
  for (int i = 0; i < kForks; i++) {
    usleep(2000 + 100 * i);
    const pid_t child = fork_child();
    if (child == 0) {
      load_and_unload(argv[1]);
      _exit(5);
    }
    CHECK(reap(child) == 5);
  }
#pragma omp atomic write
  stop = 1;
  CHECK(pthread_join(looking, NULL) == 0);
  load_and_unload(argv[1]);
  return 0;
}
