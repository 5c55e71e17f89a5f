/* SPDX-License-Identifier: Apache-2.0
 * Built by clang: opens gcc's library, and another of clang's, inside its own region and outside.
 */
#include <dlfcn.h>

#include <thread>

#include "check.h"
#include "one_pool.h"

namespace {

struct Library {
  long (*sum)(int threads, int n);
  long (*fib)(int threads, int n);
};

Library libraries[2];
int threads;

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

void one_pool() {
  check_one_pool([] {
    for (const Library& library : libraries) CHECK_EQ(library.sum(2, 100), 5050);
  });
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
