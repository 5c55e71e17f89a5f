/* SPDX-License-Identifier: Apache-2.0
 * Tasks with BYTES of data; task_data.c includes this once for each size. */

struct SIZED(data) {
  _Alignas(64) unsigned char bytes[BYTES];
};

/* They run while their maker writes other data, and write their own data. */
#define MAKE_TASKS(clauses)                          \
  for (int i = 0; i < kTasks; i++) {                 \
    fill(data.bytes, BYTES, i);                      \
    PRAGMA(omp task firstprivate(data, i) clauses) { \
      CHECK((uintptr_t)data.bytes % 64 == 0);        \
      CHECK(holds(data.bytes, BYTES, i));            \
      memset(data.bytes, 0xee, BYTES);               \
      add_one(&ran);                                 \
    }                                                \
    CHECK(holds(data.bytes, BYTES, i));              \
  }

#define CHECK_KIND(clauses)    \
  do {                         \
    ran = 0;                   \
    PRAGMA(omp parallel)       \
    PRAGMA(omp single) {       \
      struct SIZED(data) data; \
      MAKE_TASKS(clauses)      \
    }                          \
    CHECK_EQ(ran, kTasks);     \
  } while (0)

/* Each task has children of its own, which see its values at the time when they were made. */
static void SIZED(tree)(int depth, int number) {
  struct SIZED(data) data;
  for (int child = 0; child < 2; child++) {
    fill(data.bytes, BYTES, 2 * number + child);
#pragma omp task firstprivate(data, child)
    {
      if (depth > 0) SIZED(tree)(depth - 1, 2 * number + child);
      CHECK(holds(data.bytes, BYTES, 2 * number + child));
      memset(data.bytes, 0xee, BYTES);
      add_one(&ran);
    }
  }
}

static void SIZED(trees)(void) {
  for (int in_final = 0; in_final < 2; in_final++) {
    ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task final(in_final)
    SIZED(tree)(4, 1);
    CHECK_EQ(ran, 62);
  }
}

/* Undeferred, with deferred children: the task moves while its data stay. */
static void SIZED(undeferred_parent)(void) {
  ran = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
    struct SIZED(data) data;
    fill(data.bytes, BYTES, i);
#pragma omp task firstprivate(data, i) if (0)
    {
#pragma omp task firstprivate(data, i)
      {
        CHECK(holds(data.bytes, BYTES, i));
        add_one(&ran);
      }
#pragma omp taskwait
      CHECK(holds(data.bytes, BYTES, i));
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, 20);
}

static void SIZED(loop)(void) {
  struct SIZED(data) data;
  ran = 0;
  fill(data.bytes, BYTES, 7);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(data) grainsize(1)
  for (int i = 0; i < kTasks; i++) {
    CHECK(holds(data.bytes, BYTES, 7));
    add_one(&ran);
  }
  CHECK_EQ(ran, kTasks);
}

static void SIZED(tied)(void) {
  CHECK_KIND();
  CHECK_KIND(final(1));
  CHECK_KIND(if (0));
  CHECK_KIND(priority(i % 2));
  CHECK_KIND(depend(inout : at[i % 3]));
}

static void SIZED(untied)(void) {
  CHECK_KIND(untied);
  CHECK_KIND(final(1) untied);
  CHECK_KIND(if (0) untied);
  CHECK_KIND(depend(in : at[0]) untied);
}

#undef MAKE_TASKS
#undef CHECK_KIND
