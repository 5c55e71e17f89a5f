/* SPDX-License-Identifier: Apache-2.0
 * Built by clang: opens gcc's library, and another of clang's, inside its own region and outside.
 */
#include <dirent.h>
#include <dlfcn.h>

#include <thread>

#include "check.h"

namespace {

struct Library {
  long (*sum)(int threads, int n);
  long (*fib)(int threads, int n);
};

Library libraries[2];
int threads;

int kernel_threads() {
  int count = 0;
  DIR* directory = opendir("/proc/self/task");
  while (dirent* entry = readdir(directory)) count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

void open_libraries() {
  const char* names[] = {"libpool_gnu.so", "libpool_llvm.so"};
  for (int i = 0; i < 2; i++) {
    void* handle = dlopen(names[i], RTLD_NOW);
    if (handle == nullptr) {
      fprintf(stderr, "%s\n", dlerror());
      exit(1);
    }
    libraries[i].sum = reinterpret_cast<long (*)(int, int)>(dlsym(handle, "pool_sum"));
    libraries[i].fib = reinterpret_cast<long (*)(int, int)>(dlsym(handle, "pool_fib"));
  }
}

void outside() {
  for (const Library& library : libraries) {
    CHECK_EQ(library.sum(threads, 1000), 500500);
    CHECK_EQ(library.fib(threads, 15), 610);
  }
}

void inside() {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(threads, 8))
  for (const Library& library : libraries) {
    CHECK_EQ(library.sum(3, 1000), 500500);
    CHECK_EQ(library.fib(3, 10), 55);
  }
}

void from_tasks() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
    CHECK_EQ(libraries[i % 2].sum(2, 100), 5050);
  }
}

/* Several roots at once. */
void from_other_threads() {
  std::thread others[3];
  for (std::thread& other : others) {
    other = std::thread([] {
      for (int i = 0; i < 10; i++) {
        CHECK_EQ(libraries[0].sum(min_int(threads, 16), 500), 125250);
        CHECK_EQ(libraries[1].sum(min_int(threads, 16), 500), 125250);
      }
    });
  }
  for (std::thread& other : others) other.join();
}

/* One pool: a kernel thread for each processor, the monitor, and one that stands by for the root.
 * Spare ones, which the monitor starts behind threads that the machine keeps waiting, rest when
 * they are idle, until a pause ends them. Two pools would have one more even on two processors. */
void one_pool() {
  if (!on_bobbin() || strcmp(getenv("BOBBIN_PROVIDER"), "fiber") != 0) return;
  int most = omp_get_num_procs() + 2, seen = 0;
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    for (const Library& library : libraries) CHECK_EQ(library.sum(2, 100), 5050);
    seen = kernel_threads();
    if (seen <= most) return;
    usleep(50000);
  }
  fprintf(stderr, "%d kernel threads, %d processors\n", seen, omp_get_num_procs());
  CHECK(seen <= most);
}

}  // namespace

int main() {
  CHECK_BEGIN();
  threads = omp_get_max_threads();
  open_libraries();
  RUN(outside);
  RUN(inside);
  RUN(from_tasks);
  RUN(from_other_threads);
  RUN(one_pool);
  return check_end();
}
