/* SPDX-License-Identifier: Apache-2.0
 * Allocators of the program's own in uses_allocators. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int failures;
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                     \
    }                                                                 \
  } while (0)

static const omp_alloctrait_t wide[1] = {{omp_atk_alignment, 512}};

static int aligned_to(const void* pointer, size_t alignment) {
  return (uintptr_t)pointer % alignment == 0;
}

int main(void) {
  const omp_alloctrait_t own[2] = {{omp_atk_alignment, 256}, {omp_atk_pool_size, 1 << 20}};
  omp_allocator_handle_t first = omp_null_allocator, second = omp_null_allocator, third;
  int array[20], sum = 0;
  for (int i = 0; i < 20; i++) array[i] = i;
#pragma omp target uses_allocators(first(own), omp_default_mem_alloc)                   \
    uses_allocators(traits(wide) : second) firstprivate(array) allocate(second : array) \
    map(sum, failures)
  {
    CHECK(first != omp_null_allocator && second != omp_null_allocator);
    char* memory = omp_alloc(10, first);
    CHECK(aligned_to(memory, 256) && aligned_to(array, 512));
    omp_free(memory, first);
    sum = array[19];
#pragma omp parallel num_threads(2) private(sum) allocate(first : sum)
    CHECK(aligned_to(&sum, 256));
  }
  CHECK(sum == 19 && first == omp_null_allocator && second == omp_null_allocator);
#pragma omp target nowait depend(out : sum)                                      \
    uses_allocators(memspace(omp_large_cap_mem_space), traits(own) : first)      \
    uses_allocators(memspace(omp_default_mem_space) : third) firstprivate(array) \
    allocate(allocator(first), align(1024) : array) map(sum, failures)
  {
    char* memory = omp_alloc(10, third);
    CHECK(aligned_to(array, 1024) && memory);
    omp_free(memory, third);
    sum += array[10];
  }
#pragma omp taskwait
  CHECK(sum == 29);
#pragma omp target teams distribute parallel for uses_allocators(first(own)) reduction(+ : sum) \
    allocate(first : sum) map(tofrom : sum, failures)
  for (int i = 0; i < 20; i++) sum += array[i];
  CHECK(sum == 29 + 190);
  if (failures == 0) puts("passed");
  return failures != 0;
}
