/* SPDX-License-Identifier: Apache-2.0
 * Allocators: the predefined ones, traits (alignment, pool size, fallback), every allocation
 * routine, the default allocator per task, and the allocate clause. */
#include <stdint.h>

#include "check.h"

static int aligned_to(const void* pointer, size_t alignment) {
  return (uintptr_t)pointer % alignment == 0;
}

static void predefined(void) {
  static const omp_allocator_handle_t kAllocators[] = {
      omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc, omp_high_bw_mem_alloc,
      omp_low_lat_mem_alloc, omp_cgroup_mem_alloc,    omp_pteam_mem_alloc, omp_thread_mem_alloc};
#pragma omp parallel
  for (int i = 0; i < 8; i++) {
    char* block = omp_alloc(1000, kAllocators[i]);
    CHECK(block != NULL && aligned_to(block, 16));
    if (block == NULL) continue;
    memset(block, i, 1000);
    CHECK_EQ(block[999], i);
    omp_free(block, kAllocators[i]);
    block = omp_alloc(10, kAllocators[i]);
    CHECK(block != NULL);
    omp_free(block, omp_null_allocator);
  }
  omp_free(NULL, omp_default_mem_alloc);
  CHECK(omp_alloc(0, omp_default_mem_alloc) == NULL);
}

static void routines(void) {
  for (size_t alignment = 8; alignment <= 8192; alignment *= 4) {
    char* block = omp_aligned_alloc(alignment, alignment * 3, omp_default_mem_alloc);
    CHECK(block != NULL && aligned_to(block, alignment));
    memset(block, 7, alignment * 3);
    omp_free(block, omp_default_mem_alloc);
    block = omp_aligned_calloc(alignment, 3, alignment, omp_default_mem_alloc);
    CHECK(block != NULL && aligned_to(block, alignment));
    for (size_t i = 0; i < 3 * alignment; i++) CHECK_EQ(block[i], 0);
    omp_free(block, omp_default_mem_alloc);
  }
  int* numbers = omp_calloc(100, sizeof *numbers, omp_default_mem_alloc);
  CHECK(numbers != NULL);
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(numbers[i], 0);
    numbers[i] = i;
  }
  volatile size_t half = SIZE_MAX / 2;
  CHECK(omp_calloc(half, 4, omp_default_mem_alloc) == NULL);
  numbers =
      omp_realloc(numbers, 5000 * sizeof *numbers, omp_default_mem_alloc, omp_default_mem_alloc);
  CHECK(numbers != NULL);
  for (int i = 0; i < 100; i++) CHECK_EQ(numbers[i], i);
  numbers[4999] = 1;
  numbers = omp_realloc(numbers, 10 * sizeof *numbers, omp_null_allocator, omp_null_allocator);
  for (int i = 0; i < 10; i++) CHECK_EQ(numbers[i], i);
  CHECK(omp_realloc(numbers, 0, omp_default_mem_alloc, omp_default_mem_alloc) == NULL);
  numbers = omp_realloc(NULL, 40, omp_default_mem_alloc, omp_null_allocator);
  CHECK(numbers != NULL);
  omp_free(numbers, omp_default_mem_alloc);
}

static void alignment_trait(void) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}, {omp_atk_sync_hint, omp_atv_contended}};
  omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
  CHECK(mine != omp_null_allocator);
#pragma omp parallel
  {
    char *a = omp_alloc(10, mine), *b = omp_aligned_alloc(1024, 10, mine);
    CHECK(a != NULL && aligned_to(a, 256));
    CHECK(b != NULL && aligned_to(b, 1024));
    a = omp_realloc(a, 3000, mine, mine);
    CHECK(a != NULL && aligned_to(a, 256));
    omp_free(a, mine);
    omp_free(b, omp_null_allocator);
  }
  omp_destroy_allocator(mine);
  omp_alloctrait_t bad[] = {{omp_atk_alignment, 3}};
  CHECK(omp_init_allocator(omp_default_mem_space, 1, bad) == omp_null_allocator);
}

/* A pool gives out no more than its size, and reuses freed memory. */
static void pool_size(void) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
  CHECK(omp_alloc(10000, pool) == NULL);
  for (int round = 0; round < 5; round++) {
    void* first = omp_alloc(6000, pool);
    CHECK(first != NULL);
    CHECK(omp_alloc(6000, pool) == NULL);
    omp_free(first, pool);
  }
  int held = 0;
#pragma omp parallel reduction(+ : held)
  {
    void* block = omp_alloc(3000, pool);
    held += block != NULL;
#pragma omp barrier
    omp_free(block, pool);
  }
  CHECK(held >= 1 && held <= 2);
  omp_destroy_allocator(pool);
}

/* Only the growth of a block has to fit. */
static void growth_within_a_pool(void) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
  void* block = omp_realloc(omp_alloc(6000, pool), 8000, pool, pool);
  CHECK(block != NULL);
  CHECK(omp_realloc(block, 9000, pool, pool) == NULL);
  omp_free(block, pool);
  omp_destroy_allocator(pool);
}

static void fallbacks(void) {
  omp_alloctrait_t to_default[] = {{omp_atk_pool_size, 1024},
                                   {omp_atk_fallback, omp_atv_default_mem_fb}};
  omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 2, to_default);
  char* block = omp_alloc(100000, small);
  CHECK(block != NULL);
  if (block != NULL) memset(block, 1, 100000);
  omp_free(block, small);
  omp_alloctrait_t aligned[] = {{omp_atk_alignment, 512}};
  omp_allocator_handle_t other = omp_init_allocator(omp_default_mem_space, 1, aligned);
  omp_alloctrait_t to_other[] = {{omp_atk_pool_size, 1024},
                                 {omp_atk_fallback, omp_atv_allocator_fb},
                                 {omp_atk_fb_data, (omp_uintptr_t)other}};
  omp_allocator_handle_t chained = omp_init_allocator(omp_default_mem_space, 3, to_other);
  CHECK(chained != omp_null_allocator);
  block = omp_alloc(50000, chained);
  CHECK(block != NULL && aligned_to(block, 512));
  omp_free(block, omp_null_allocator);
  omp_destroy_allocator(chained);
  omp_destroy_allocator(other);
  omp_destroy_allocator(small);
}

/* The default allocator belongs to the task and is inherited. */
static void default_allocator(void) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 128}};
  omp_allocator_handle_t before = omp_get_default_allocator();
  omp_allocator_handle_t mine = omp_init_allocator(omp_large_cap_mem_space, 1, traits);
  omp_set_default_allocator(mine);
#pragma omp parallel
  {
    CHECK(omp_get_default_allocator() == mine);
    void* block = omp_alloc(5, omp_null_allocator);
    CHECK(aligned_to(block, 128));
    omp_free(block, omp_null_allocator);
    omp_set_default_allocator(omp_default_mem_alloc);
    CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
  }
  CHECK(omp_get_default_allocator() == mine);
  omp_set_default_allocator(before);
  omp_destroy_allocator(mine);
}

static void allocate_clause(void) {
  int scalar = 3, array[50], sum = 0, last = 0;
  for (int i = 0; i < 50; i++) array[i] = i;
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}};
  omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 1, traits);
#pragma omp parallel private(scalar) firstprivate(array) allocate(omp_default_mem_alloc : scalar) \
    allocate(mine : array)
  {
    scalar = omp_get_thread_num();
    CHECK(aligned_to(array, 64));
    CHECK_EQ(array[49], 49);
    array[0] = scalar;
#pragma omp barrier
    CHECK_EQ(scalar, omp_get_thread_num());
    CHECK_EQ(array[0], omp_get_thread_num());
  }
#pragma omp parallel for reduction(+ : sum) allocate(mine : sum) lastprivate(last) \
    allocate(omp_default_mem_alloc : last)
  for (int i = 0; i < 100; i++) {
    sum += i;
    last = i;
  }
  CHECK_EQ(sum, 4950);
  CHECK_EQ(last, 99);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(array) allocate(omp_default_mem_alloc : array)
    CHECK_EQ(array[10], 10);
  }
#ifndef GAP_allocate_modifiers
#pragma omp parallel private(scalar) allocate(align(128), allocator(mine) : scalar)
  CHECK(aligned_to(&scalar, 128));
#endif
  omp_destroy_allocator(mine);
}

#ifndef GAP_allocate_directive
static void allocate_directive(void) {
#pragma omp parallel
  {
    int own[10];
#pragma omp allocate(own) align(256)
    for (int i = 0; i < 10; i++) own[i] = omp_get_thread_num();
    CHECK(aligned_to(own, 256));
#pragma omp barrier
    for (int i = 0; i < 10; i++) CHECK_EQ(own[i], omp_get_thread_num());
  }
}
#endif

/* Allocate here, free there. */
static void across_threads(void) {
  int n = omp_get_max_threads();
  void** blocks = calloc(n, sizeof *blocks);
#pragma omp parallel
  for (int round = 0; round < 5; round++) {
    int me = omp_get_thread_num();
    blocks[me] = omp_aligned_alloc(64, 500, omp_default_mem_alloc);
#pragma omp barrier
    omp_free(blocks[(me + 1) % n], omp_null_allocator);
#pragma omp barrier
  }
  free(blocks);
}

int main(void) {
  CHECK_BEGIN();
  RUN(predefined);
  RUN(routines);
  RUN(alignment_trait);
  RUN(pool_size);
  RUN(growth_within_a_pool);
  RUN(fallbacks);
  RUN(default_allocator);
  RUN(allocate_clause);
#ifndef GAP_allocate_directive
  RUN(allocate_directive);
#endif
  RUN(across_threads);
  return check_end();
}
