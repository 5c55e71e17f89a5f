/* SPDX-License-Identifier: Apache-2.0
 * Variables in memory of an allocator, by directive and by clause. The allocator has room for
 * little more than what is in use at a time, so memory that is not freed on some way out of a scope
 * ends the program. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                     \
    }                                                                 \
  } while (0)

static int aligned_to(const void* pointer, size_t alignment) {
  return (uintptr_t)pointer % alignment == 0;
}

static int kept[3] = {1, 2, 3}, beside;
#pragma omp allocate(kept) allocator(omp_default_mem_alloc) align(256)

struct pair {
  int a, b;
  struct pair* self;
};

static int leave(int way, int n, omp_allocator_handle_t mine) {
  int result = 0;
  for (int round = 0; round < 2; round++) {
    const int first = way, *next = &first, last = *next + 1;
    char text[] = "some text", numbers[2][3] = {{1, 2, 3}, {4, 5}};
    struct pair pair = {first, .b = last, &pair}, copy = pair;
    long rows[n][n + 1];
    int (*function)(int, int, omp_allocator_handle_t) = leave, unused[4];
#pragma omp allocate(first, text, numbers, pair, copy, rows, function, unused) allocator(mine) \
    align(64)
    (void)unused;
    CHECK(aligned_to(&first, 64) && aligned_to(text, 64) && aligned_to(rows, 64));
    CHECK(sizeof text == 10 && strcmp(text, "some text") == 0);
    CHECK(numbers[1][1] == 5 && numbers[1][2] == 0 && last == way + 1);
    CHECK(pair.self == &pair && copy.self == &pair && copy.b == last && function == leave);
    CHECK(sizeof rows == sizeof(long) * n * (n + 1));
    rows[n - 1][n] = first;
    if (way == 1) return rows[n - 1][n];
    if (way == 2) break;
    if (way == 3) continue;
    if (way == 4) goto out;
    switch (way) {
      case 5: {
        int inner[n];
#pragma omp allocate(inner) allocator(mine)
        inner[0] = way;
        if (n > 2) break;
        result = inner[0];
      }
    }
    result += rows[n - 1][n];
  }
out:
  return result;
}

static int counted(int n) {
  static int calls = 3;
#pragma omp allocate(calls) align(128)
  CHECK(aligned_to(&calls, 128));
  return calls += n;
}

static void shared_in_regions(omp_allocator_handle_t mine) {
  int sum = 0, parts[4] = {0}, limit = 100;
  long index;
#pragma omp allocate(sum, parts, limit, index) allocator(mine)
#pragma omp parallel num_threads(3) firstprivate(limit)
  {
    int own[limit], number = omp_get_thread_num();
#pragma omp allocate(own) allocator(mine)
#pragma omp allocate(number) align(64)
    for (int i = 0; i < limit; i++) own[i] = number;
#pragma omp for reduction(+ : sum) lastprivate(index)
    for (index = 0; index < 100; index++) sum += own[index] == number;
#pragma omp task shared(parts) firstprivate(own)
    for (int i = 0; i < limit; i++)
#pragma omp atomic
      parts[number] += own[i] == number;
  }
  CHECK(sum == 100 && index == 100);
  CHECK(parts[0] + parts[1] + parts[2] == 300);
}

static void clauses(int n, omp_allocator_handle_t mine) {
  int scalar = 3, array[50], sum = 0, last = 0, second = 0, product[2] = {1, 2};
  const int fixed = 7;
  long rows[n];
  struct pair pair = {1, 2, &pair};
  omp_allocator_handle_t other = omp_default_mem_alloc;
  for (int i = 0; i < 50; i++) array[i] = i;
  for (int i = 0; i < n; i++) rows[i] = i;
#pragma omp parallel num_threads(3) private(scalar) firstprivate(array, rows, fixed)  \
    reduction(+ : sum, product[0 : n - 3])                                            \
    allocate(allocator(mine), align(128) : array, rows, sum) allocate(mine : product) \
    allocate(align(64) : scalar, fixed)
  {
    scalar = omp_get_thread_num();
    CHECK(aligned_to(array, 128) && aligned_to(rows, 128) && aligned_to(&sum, 128));
    CHECK(aligned_to(&scalar, 64) && aligned_to(&fixed, 64));
    CHECK(array[49] == 49 && rows[n - 1] == n - 1 && sizeof rows == n * sizeof(long));
    array[0] = rows[0] = scalar;
    product[0] += fixed;
    product[1] += fixed;
#pragma omp barrier
    CHECK(scalar == omp_get_thread_num() && array[0] == scalar && rows[0] == scalar);
    sum += scalar + 1;
#pragma omp scope firstprivate(pair) reduction(max : last) allocate(mine : pair) allocate(last)
    last = pair.b + omp_get_thread_num();
#pragma omp sections firstprivate(pair) lastprivate(second) allocate(mine : pair, second)
    {
#pragma omp section
      second = pair.a;
#pragma omp section
      second = pair.b;
    }
    CHECK(second == 2);
#pragma omp single private(pair) allocate(omp_const_mem_alloc : pair)
    {
      pair.a = 5;
      CHECK(pair.a == 5);
    }
#pragma omp task firstprivate(array, pair) private(last) allocate(other : array, pair, last)
    {
      last = array[0] + pair.b;
      CHECK(last >= 2 && last <= 4);
    }
  }
  CHECK(sum == 6 && last == 4 && product[0] == 22 && product[1] == 23);
#pragma omp parallel for num_threads(3) reduction(+ : sum) lastprivate(last) firstprivate(pair) \
    allocate(mine : sum, pair) allocate(allocator(omp_default_mem_alloc), align(256) : last)
  for (int i = 0; i < 100; i++) {
    CHECK(aligned_to(&last, 256) && pair.b == 2);
    sum += i;
    last = i;
  }
  CHECK(sum == 4956 && last == 99);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(7) firstprivate(array, scalar) lastprivate(last) \
    allocate(mine : array, last) allocate(align(64) : scalar)
  for (int i = 0; i < 30; i++) {
    CHECK(aligned_to(&scalar, 64) && array[10] == 10);
    last = array[i];
  }
  CHECK(last == 29);
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum, last) task_reduction(max : array[0 : n]) \
    allocate(allocator(mine), align(256) : sum, array) allocate(other : last)
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum, last) in_reduction(max : array[0 : n])
      {
        CHECK(aligned_to(&sum, 256) && aligned_to(&array[0], 256));
        sum += i;
        last += 2;
        if (array[n - 1] < i) array[n - 1] = i;
      }
    }
#pragma omp taskloop reduction(+ : sum) num_tasks(5) allocate(align(128) : sum)
    for (int i = 0; i < 20; i++) {
      CHECK(aligned_to(&sum, 128));
      sum += i;
    }
  }
  CHECK(sum == 4956 + 380 && last == 69 && array[4] == 19);
  sum -= 380;
  array[4] = 4;
#pragma omp teams distribute parallel for num_teams(2) firstprivate(array) reduction(+ : sum) \
    allocate(align(64) : array, sum)
  for (int i = 0; i < 50; i++) sum += array[i];
  CHECK(sum == 4956 + 1225);
#pragma omp target firstprivate(array, scalar) private(last) map(sum) \
    uses_allocators(omp_default_mem_alloc) allocate(omp_default_mem_alloc : array, last)
  {
    last = array[3];
    sum = last + scalar;
  }
  CHECK(sum == 3 + scalar);
}

int main(void) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1 << 16}, {omp_atk_fallback, omp_atv_abort_fb}};
  omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
  CHECK(aligned_to(kept, 256) && kept[2] == 3 && beside == 0);
  for (int round = 0; round < 500; round++) {
    CHECK(leave(0, 3, mine) == 0 && leave(1, 3, mine) == 1 && leave(2, 3, mine) == 0);
    CHECK(leave(3, 3, mine) == 0 && leave(4, 3, mine) == 0 && leave(5, 3, mine) == 10);
    CHECK(leave(5, 2, mine) == 10);
    shared_in_regions(mine);
    clauses(5, mine);
  }
  CHECK(counted(2) == 5 && counted(2) == 7);
  if (failures == 0) puts("passed");
  return failures != 0;
}
