/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions and exclusion by LLVM's entry points, including those that clang 19 does not emit.
 */
#include <sched.h>

#include "check.h"
#include "kmp/kmp_direct.h"

static int32_t me(void) { return __kmpc_global_thread_num(&kPlace); }

static int participants;

static void count_arguments(int32_t* global, int32_t* num, long* sum, long a1, long a2, long a3,
                            long a4, long a5, long a6, long a7, long a8, long a9, long a10,
                            long a11, long a12, long a13, long a14) {
  CHECK_EQ(*num, omp_get_thread_num());
  CHECK_EQ(*global, me());
  long mine = a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14;
  __atomic_add_fetch(sum, mine, __ATOMIC_RELAXED);
}

static void few_arguments(int32_t* global, int32_t* num, long* sum, long a1) {
  (void)global, (void)num;
  __atomic_add_fetch(sum, a1, __ATOMIC_RELAXED);
}

static void arguments(void) {
  int n = omp_get_max_threads();
  long sum = 0;
  __kmpc_fork_call(&kPlace, 15, (Microtask)count_arguments, &sum, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L,
                   9L, 10L, 11L, 12L, 13L, 14L);
  CHECK_EQ(sum, 105L * n);
  sum = 0;
  __kmpc_fork_call(&kPlace, 2, (Microtask)few_arguments, &sum, 7L);
  CHECK_EQ(sum, 7L * n);
}

static void count_participants(int32_t* global, int32_t* num) {
  (void)global, (void)num;
  __atomic_add_fetch(&participants, 1, __ATOMIC_RELAXED);
  CHECK_EQ(__kmpc_bound_thread_num(&kPlace), omp_get_thread_num());
  CHECK_EQ(__kmpc_bound_num_threads(&kPlace), omp_get_num_threads());
}

static int size_of_next_region(void) {
  participants = 0;
  __kmpc_fork_call(&kPlace, 0, (Microtask)count_participants);
  return participants;
}

static void pushed_clauses(void) {
  __kmpc_push_num_threads(&kPlace, me(), 3);
  CHECK_EQ(size_of_next_region(), 3);
  CHECK_EQ(size_of_next_region(), omp_get_max_threads());
  __kmpc_push_num_threads_strict(&kPlace, me(), 2, 2, "not enough");
  CHECK_EQ(size_of_next_region(), 2);
  /* A serialized region takes them, too. */
  __kmpc_push_num_threads(&kPlace, me(), 3);
  __kmpc_serialized_parallel(&kPlace, me());
  CHECK_EQ(omp_get_level(), 1);
  CHECK_EQ(__kmpc_in_parallel(&kPlace), 0);
  __kmpc_end_serialized_parallel(&kPlace, me());
  CHECK_EQ(size_of_next_region(), omp_get_max_threads());
}

static void fork_inner(int32_t* global, int32_t* num, int* sizes) {
  (void)global;
  if (*num == 0) sizes[0] = omp_get_num_threads();
#pragma omp parallel
#pragma omp master
  if (omp_get_ancestor_thread_num(1) == 0) sizes[1] = omp_get_num_threads();
}

static void list_of_num_threads(void) {
  int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
  int list[2] = {2, 3}, sizes[2] = {0, 0};
  __kmpc_push_num_threads_list(&kPlace, me(), 2, list);
  __kmpc_fork_call(&kPlace, 1, (Microtask)fork_inner, sizes);
  CHECK_EQ(sizes[0], 2);
  CHECK_EQ(sizes[1], 3);
  omp_set_max_active_levels(levels);
}

/* The last call counts, and nothing remains of the earlier ones. */
static void clauses_replaced(void) {
  int levels = omp_get_max_active_levels(), threads = omp_get_max_threads();
  int list[2] = {3, 4}, sizes[2] = {0, 0};
  omp_set_max_active_levels(2);
  omp_set_num_threads(2);
  __kmpc_push_num_threads_list(&kPlace, me(), 2, list);
  __kmpc_push_num_threads(&kPlace, me(), 5);
  __kmpc_fork_call(&kPlace, 1, (Microtask)fork_inner, sizes);
  CHECK_EQ(sizes[0], 5);
  CHECK_EQ(sizes[1], 2);
  __kmpc_push_num_threads_list(&kPlace, me(), 2, list);
  __kmpc_pop_num_threads(&kPlace, me());
  __kmpc_fork_call(&kPlace, 1, (Microtask)fork_inner, sizes);
  CHECK_EQ(sizes[0], 2);
  CHECK_EQ(sizes[1], 2);
  /* It is not strict any more either. This region gets one thread. */
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    __kmpc_push_num_threads_strict(&kPlace, me(), 2, 2, "not enough");
    __kmpc_push_num_threads(&kPlace, me(), 3);
    CHECK_EQ(size_of_next_region(), 1);
  }
  omp_set_num_threads(threads);
  omp_set_max_active_levels(levels);
}

enum { kLevels = 5 };
static int size_at[kLevels];

/* One thread of each level continues to the next. */
static void descend(int32_t* global, int32_t* num) {
  (void)global;
  int level = omp_get_level();
  if (*num == 0) {
    size_at[level - 1] = omp_get_num_threads();
    if (level < kLevels) __kmpc_fork_call(&kPlace, 0, (Microtask)descend);
  }
}

static void list_for_all_levels(void) {
  int levels = omp_get_max_active_levels(), threads = omp_get_max_threads();
  int list[3] = {2, 3, 2}, usual[kLevels];
  omp_set_max_active_levels(kLevels);
  omp_set_num_threads(2);
  __kmpc_fork_call(&kPlace, 0, (Microtask)descend);
  memcpy(usual, size_at, sizeof usual);
  __kmpc_push_num_threads_list(&kPlace, me(), 3, list);
  __kmpc_fork_call(&kPlace, 0, (Microtask)descend);
  for (int i = 0; i < kLevels; i++) CHECK_EQ(size_at[i], list[i < 3 ? i : 2]);
  __kmpc_fork_call(&kPlace, 0, (Microtask)descend);
  for (int i = 0; i < kLevels; i++) CHECK_EQ(size_at[i], usual[i]);
  omp_set_num_threads(threads);
  omp_set_max_active_levels(levels);
}

static void one_argument(int32_t* global, int32_t* num, int* size) {
  (void)global;
  if (*num == 0) *size = omp_get_num_threads();
}

static void condition(void) {
  int size = 0;
  __kmpc_fork_call_if(&kPlace, 1, (Microtask)one_argument, 1, &size);
  CHECK_EQ(size, omp_get_max_threads());
  __kmpc_fork_call_if(&kPlace, 1, (Microtask)one_argument, 0, &size);
  CHECK_EQ(size, 1);
}

static void primary_between_barriers(void) {
  int turn = 0;
#pragma omp parallel
  for (int i = 0; i < 50; i++) {
    if (__kmpc_barrier_master(&kPlace, me())) {
      CHECK_EQ(omp_get_thread_num(), 0);
      turn++;
      __kmpc_end_barrier_master(&kPlace, me());
    }
    CHECK_EQ(turn, i + 1);
    int32_t is_primary = __kmpc_barrier_master_nowait(&kPlace, me());
    CHECK_EQ(is_primary, omp_get_thread_num() == 0);
  }
  CHECK_EQ(turn, 50);
}

static void masked_by_number(void) {
  int executed = -1;
#pragma omp parallel
  {
    int last = omp_get_num_threads() - 1;
    if (__kmpc_masked(&kPlace, me(), last)) {
      executed = omp_get_thread_num();
      __kmpc_end_masked(&kPlace, me());
    }
  }
  CHECK_EQ(executed, omp_get_max_threads() - 1);
}

static void copy_int(void* to, void* from) { **(int**)to = **(int**)from; }

static void copyprivate(void) {
#pragma omp parallel
  for (int i = 0; i < 50; i++) {
    int value = -1;
    int* list[1] = {&value};
    int32_t executes = __kmpc_single(&kPlace, me());
    if (executes) {
      value = i;
      __kmpc_end_single(&kPlace, me());
    }
    __kmpc_copyprivate(&kPlace, me(), sizeof list, list, copy_int, executes);
    CHECK_EQ(value, i);
    executes = __kmpc_single(&kPlace, me());
    if (executes) value = 1000 + i;
    int** from = __kmpc_copyprivate_light(&kPlace, me(), executes ? list : NULL);
    if (!executes) value = *from[0];
    __kmpc_barrier(&kPlace, me());
    CHECK_EQ(value, 1000 + i);
  }
}

static void exclusion(void) {
  static CriticalName name;
  static void *lock, *nest;
  __kmpc_init_lock(&kPlace, me(), &lock);
  __kmpc_init_nest_lock_with_hint(&kPlace, me(), &nest, 4);
  int a = 0, b = 0, c = 0;
#pragma omp parallel
  for (int i = 0; i < 200; i++) {
    __kmpc_critical_with_hint(&kPlace, me(), &name, 2);
    a++;
    __kmpc_end_critical(&kPlace, me(), &name);
    if (i % 2 == 0 || !__kmpc_test_lock(&kPlace, me(), &lock)) {
      __kmpc_set_lock(&kPlace, me(), &lock);
    }
    b++;
    __kmpc_unset_lock(&kPlace, me(), &lock);
    __kmpc_set_nest_lock(&kPlace, me(), &nest);
    CHECK_EQ(__kmpc_test_nest_lock(&kPlace, me(), &nest), 2);
    c++;
    __kmpc_unset_nest_lock(&kPlace, me(), &nest);
    __kmpc_unset_nest_lock(&kPlace, me(), &nest);
  }
  int n = 200 * omp_get_max_threads();
  CHECK_EQ(a, n);
  CHECK_EQ(b, n);
  CHECK_EQ(c, n);
  __kmpc_destroy_lock(&kPlace, me(), &lock);
  __kmpc_destroy_nest_lock(&kPlace, me(), &nest);
}

/* For the compiler they are numbers, at any position of a number. */
static void critical_names_anywhere(void) {
  static int32_t room[18];
  CriticalName* first = (CriticalName*)room;
  CriticalName* second = (CriticalName*)(room + 9);
  int in_first = 0, in_second = 0;
#pragma omp parallel
  for (int i = 0; i < 100; i++) {
    __kmpc_critical_with_hint(&kPlace, me(), first, 0);
    in_first++;
    __kmpc_critical_with_hint(&kPlace, me(), second, 0);
    in_second++;
    __kmpc_end_critical(&kPlace, me(), second);
    __kmpc_end_critical(&kPlace, me(), first);
  }
  CHECK_EQ(in_first, 100 * omp_get_max_threads());
  CHECK_EQ(in_second, 100 * omp_get_max_threads());
  CHECK(room[8] == 0 && room[17] == 0);
}

/* Names as in code of Intel's classic compilers: the one without a name, and one that GCC's objects
 * also have, under the same name. */
CriticalName classic_unnamed __asm__(".gomp_critical_user_") __attribute__((aligned(32)));
CriticalName classic_named __asm__(".gomp_critical_user_both") __attribute__((aligned(32)));

static void classic_critical_names(void) {
  int unnamed = 0, named = 0;
#pragma omp parallel
  for (int i = 0; i < 200; i++) {
    if ((i + omp_get_thread_num()) % 2 == 0) {
      GOMP_critical_start();
      unnamed++;
      GOMP_critical_end();
      GOMP_critical_name_start((void**)&classic_named);
      named++;
      GOMP_critical_name_end((void**)&classic_named);
    } else {
      __kmpc_critical_with_hint(&kPlace, me(), &classic_unnamed, 0);
      unnamed++;
      __kmpc_end_critical(&kPlace, me(), &classic_unnamed);
      __kmpc_critical_with_hint(&kPlace, me(), &classic_named, 0);
      named++;
      if (i % 10 == 0) sched_yield();
      __kmpc_end_critical(&kPlace, me(), &classic_named);
    }
  }
  CHECK_EQ(unnamed, 200 * omp_get_max_threads());
  CHECK_EQ(named, 200 * omp_get_max_threads());
}

static long sums[3];

static void add_all(void* to, void* from) {
  for (int i = 0; i < 3; i++) *((long**)to)[i] += *((long**)from)[i];
}

/* As compilers write it, for whichever method the runtime chooses. */
static void reduce(Ident* place, int count) {
  static CriticalName name;
  memset(sums, 0, sizeof sums);
#pragma omp parallel
  {
    long mine[3] = {1, omp_get_thread_num(), 2};
    void* list[3] = {&mine[0], &mine[1], &mine[2]};
    int32_t method = __kmpc_reduce(place, me(), count, count * sizeof(void*), list, add_all, &name);
    if (method == 1) {
      for (int i = 0; i < count; i++) sums[i] += mine[i];
      __kmpc_end_reduce(place, me(), &name);
    } else if (method == 2) {
      for (int i = 0; i < count; i++) __atomic_add_fetch(&sums[i], mine[i], __ATOMIC_RELAXED);
      __kmpc_end_reduce(place, me(), &name);
    }
    /* With a barrier: the result is available. */
    CHECK_EQ(sums[0], omp_get_num_threads());
  }
  long n = omp_get_max_threads();
  CHECK_EQ(sums[0], n);
  if (count > 1) CHECK_EQ(sums[1], n * (n - 1) / 2);
  if (count > 2) CHECK_EQ(sums[2], 2 * n);
}

static void add_first(void* to, void* from) { **(long**)to += **(long**)from; }

/* An array section of variable length, whose length is also in the list. There must not be an
 * atomic operation for each element. */
static void reduce_section(Ident* place) {
  static CriticalName name;
  int atomically = 0;
  sums[0] = 0;
#pragma omp parallel
  {
    long mine = 1;
    void* list[2] = {&mine, (void*)1};
    int32_t method = __kmpc_reduce(place, me(), 1, sizeof list, list, add_first, &name);
    if (method == 1) sums[0] += mine;
    if (method == 2) {
      __atomic_add_fetch(&sums[0], mine, __ATOMIC_RELAXED);
      add_one(&atomically);
    }
    if (method != 0) __kmpc_end_reduce(place, me(), &name);
  }
  CHECK_EQ(sums[0], omp_get_max_threads());
  if (on_bobbin()) CHECK_EQ(atomically, 0);
}

static void reductions(void) {
  static Ident atomic = {0, 2 | kAtomicReduction, 0, 0, ";;;0;0;;"};
  for (int i = 0; i < 20; i++) {
    reduce(&kPlace, 1);
    reduce(&kPlace, 3);
    reduce(&atomic, 1);
    reduce(&atomic, 3);
    reduce_section(&atomic);
  }
}

static int counter = 40;
static void** counter_cache;
static int* own_counter(void) {
  return __kmpc_threadprivate_cached(&kPlace, me(), &counter, sizeof counter,
                                     (void***)&counter_cache);
}

/* Code of Intel's classic compilers, which reads the table itself. */
static int classic = 40;
static void** classic_cache;
static int* own_classic(void) {
  void** cache = __atomic_load_n(&classic_cache, __ATOMIC_ACQUIRE);
  const int32_t number = me();
  int* copy = cache != NULL ? cache[number] : NULL;
  if (copy != NULL) return copy;
  return __kmpc_threadprivate_cached(&kPlace, number, &classic, sizeof classic,
                                     (void***)&classic_cache);
}

static void threadprivate_read_inline(void) {
  CHECK(own_classic() == &classic);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    {
      int* mine = own_classic();
      CHECK_EQ(*mine, 40 + round * (omp_get_thread_num() + 1));
      CHECK((mine == &classic) == (omp_get_thread_num() == 0));
      *mine += omp_get_thread_num() + 1;
#pragma omp barrier
      CHECK(own_classic() == mine);
    }
  }
}

static int constructed_value = 5, constructed;
static void** constructed_cache;
static void* construct(void* memory) {
  *(int*)memory = 17;
  __atomic_add_fetch(&constructed, 1, __ATOMIC_RELAXED);
  return memory;
}

static void threadprivate(void) {
  CHECK(own_counter() == &counter);
  __kmpc_threadprivate_register(&kPlace, &constructed_value, construct, NULL, NULL);
  int n = omp_get_max_threads();
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    {
      int* mine = own_counter();
      CHECK_EQ(*mine, 40 + round * (omp_get_thread_num() + 1));
      CHECK((mine == &counter) == (omp_get_thread_num() == 0));
      *mine += omp_get_thread_num() + 1;
      CHECK(own_counter() == mine);
      int* built = __kmpc_threadprivate_cached(&kPlace, me(), &constructed_value, sizeof(int),
                                               (void***)&constructed_cache);
      CHECK_EQ(*built, omp_get_thread_num() == 0 ? 5 : 17);
    }
  }
  CHECK_EQ(counter, 43);
  CHECK_EQ(constructed, n - 1);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(arguments);
  RUN(pushed_clauses);
  RUN(list_of_num_threads);
  RUN(clauses_replaced);
  RUN(list_for_all_levels);
  RUN(condition);
  RUN(primary_between_barriers);
  RUN(masked_by_number);
  RUN(copyprivate);
  RUN(exclusion);
  RUN(critical_names_anywhere);
  RUN(classic_critical_names);
  RUN(reductions);
  RUN(threadprivate);
  RUN(threadprivate_read_inline);
  return check_end();
}
