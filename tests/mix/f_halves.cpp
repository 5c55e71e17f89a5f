/* SPDX-License-Identifier: Apache-2.0
 * Regions of either C++ half call Fortran libraries of either compiler, and regions of either
 * Fortran half call C++. */
#include <string.h>

#include "check.h"
#include "half.h"

extern "C" {
#define DECLARE(half)                                        \
  void half##_parallel_sum(int threads, int n, long* total); \
  void half##_orphaned_loop(int n, int* hits);               \
  void half##_count_tree(int depth, int* count);             \
  void half##_add_locked(void* lock, long* value);           \
  int* half##_threadprivate_copy();
DECLARE(gnu)
DECLARE(llvm)
}

namespace {

struct Fortran {
  void (*parallel_sum)(int threads, int n, long* total);
  void (*orphaned_loop)(int n, int* hits);
  void (*count_tree)(int depth, int* count);
  void (*add_locked)(void* lock, long* value);
  int* (*threadprivate_copy)();
};

#define FORTRAN(half)                                                               \
  {half##_parallel_sum, half##_orphaned_loop, half##_count_tree, half##_add_locked, \
   half##_threadprivate_copy}
const Fortran kFortran[] = {FORTRAN(gnu), FORTRAN(llvm)};

const Half* half;
const Fortran* library;
int threads;

template <class F>
void region(int count, F body) {
  half->region(count, [](void* data) { (*static_cast<F*>(data))(); }, &body);
}

void nested_regions() {
  omp_set_max_active_levels(2);
  region(min_int(threads, 8), [] {
    long total = 0;
    library->parallel_sum(3, 1000, &total);
    CHECK_EQ(total, 500500);
  });
}

void orphaned_loops() {
  static int hits[300];
  memset(hits, 0, sizeof hits);
  region(threads, [] {
    library->orphaned_loop(300, hits);
    library->orphaned_loop(300, hits);
  });
  for (int i = 0; i < 300; i++) CHECK_EQ(hits[i], i == 0 ? 22 : 2);
}

void trees() {
  int count = 0;
  region(threads, [&] {
    half->single(
        [](void* data) {
          for (int i = 0; i < 3; i++)
            half->task([](void* d) { library->count_tree(5, (int*)d); }, data);
          half->taskwait();
          CHECK_EQ(load((int*)data), 3 * 63);
        },
        &count);
  });
}

void locks() {
  SharedLock lock;
  memset(&lock, 0, sizeof lock);
  long value = 0;
  half->init_lock(&lock);
  region(threads, [&] {
    for (int i = 0; i < 30; i++) {
      library->add_locked(lock.storage, &value);
      half->set_lock(&lock);
      value++;
      half->unset_lock(&lock);
    }
  });
  CHECK_EQ(value, 60L * threads);
  half->destroy_lock(&lock);
}

void threadprivates() {
  region(threads, [] { *library->threadprivate_copy() = 50 + half->thread_num(); });
  region(threads, [] { CHECK_EQ(*library->threadprivate_copy(), 50 + half->thread_num()); });
}

}  // namespace

#define RUN_ALL_WAYS(function)                 \
  do {                                         \
    for (int way = 0; way < 4; way++) {        \
      half = way / 2 ? &llvm_half : &gnu_half; \
      library = &kFortran[way % 2];            \
      RUN(function);                           \
    }                                          \
  } while (0)

int main() {
  CHECK_BEGIN();
  threads = omp_get_max_threads();
  RUN_ALL_WAYS(nested_regions);
  RUN_ALL_WAYS(orphaned_loops);
  RUN_ALL_WAYS(trees);
  RUN_ALL_WAYS(locks);
  RUN_ALL_WAYS(threadprivates);
  return check_end();
}
