/* SPDX-License-Identifier: Apache-2.0
 *
 * The routines of LLVM's and Intel's runtimes beyond the specification, as C and as Fortran call
 * them. */
#include <limits.h>

#include "check.h"
#include "kmp/kmp_direct.h"

/* Fortran passes addresses. */
void kmp_set_stacksize_(const int*);
void kmp_set_stacksize_s_(const size_t*);
int kmp_get_stacksize_(void);
void kmp_set_blocktime_(const int*);
int kmp_get_blocktime_(void);
void kmp_set_library_(const int*);
int kmp_get_library_(void);
void* kmp_malloc_(const size_t*);
void* kmp_aligned_malloc_(const size_t*, const size_t*);
void* kmp_calloc_(const size_t*, const size_t*);
void* kmp_realloc_(void**, const size_t*);
void kmp_free_(void**);
int kmp_set_affinity_mask_proc_(const int*, void**);
int kmp_unset_affinity_mask_proc_(const int*, void**);
int kmp_get_affinity_mask_proc_(const int*, void**);

/* The C names of routines whose plain names are for Fortran. */
void ompc_set_num_threads(int);
void ompc_set_dynamic(int);
void ompc_set_nested(int);
void ompc_set_max_active_levels(int);
void ompc_set_schedule(int, int);
int ompc_get_ancestor_thread_num(int);
int ompc_get_team_size(int);
void ompc_set_affinity_format(const char*);
size_t ompc_get_affinity_format(char*, size_t);
size_t ompc_capture_affinity(char*, size_t, const char*);

static int size_of_next_region(void) {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

/* Before the first region: a stack for what follows, beyond any default. */
static void stack(void) {
  const int half = 12 << 20;
  const size_t whole = 24 << 20, tiny = 1, endless = SIZE_MAX;
  if (on_bobbin()) {
    kmp_set_stacksize_s_(&tiny);
    CHECK_EQ(kmp_get_stacksize_s(), 16 << 10);
    kmp_set_stacksize_s_(&endless);
    CHECK_EQ(kmp_get_stacksize_s(), (size_t)1 << 40);
  }
  kmp_set_stacksize_(&half);
  CHECK_EQ(kmp_get_stacksize(), half);
  CHECK_EQ(kmp_get_stacksize_(), half);
  kmp_set_stacksize_s_(&whole);
  CHECK_EQ(kmp_get_stacksize_s(), whole);
#pragma omp parallel
  {
    volatile char most[16 << 20];
    most[0] = 1;
    most[sizeof most - 1] = 2;
    CHECK_EQ(most[0] + most[sizeof most - 1], 3);
  }
}

static void block_time(void) {
  const int nine = 9;
  if (on_bobbin() && getenv("GOMP_SPINCOUNT") != NULL) CHECK_EQ(kmp_get_blocktime(), INT_MAX);
  kmp_set_blocktime(7);
  CHECK_EQ(kmp_get_blocktime(), 7);
  kmp_set_blocktime(0);
  CHECK_EQ(kmp_get_blocktime(), 0);
  kmp_set_blocktime_(&nine);
  CHECK_EQ(kmp_get_blocktime_(), 9);
  kmp_set_blocktime(INT_MAX); /* for ever; libomp 19 returns a thousandth of it */
  CHECK(kmp_get_blocktime() >= INT_MAX / 1000);
  CHECK_EQ(size_of_next_region(), omp_get_max_threads());
  kmp_set_blocktime(0);
}

/* libomp observes it only before its first region. Serial: regions of one thread. */
static void library(void) {
  enum { kSerial = 1, kTurnaround, kThroughput };
  const int n = omp_get_max_threads(), throughput = kThroughput;
  if (!on_bobbin()) return;
  kmp_set_library_serial();
  CHECK_EQ(size_of_next_region(), 1);
  CHECK_EQ(kmp_get_library(), n > 1 ? kSerial : kThroughput);
  kmp_set_library_turnaround();
  CHECK_EQ(kmp_get_library(), kTurnaround);
  for (int i = 0; i < 20; i++) CHECK_EQ(size_of_next_region(), n);
  kmp_set_library_throughput();
  CHECK_EQ(kmp_get_library_(), kThroughput);
  kmp_set_library(kTurnaround);
  kmp_set_library_(&throughput);
  CHECK_EQ(kmp_get_library(), kThroughput);
  CHECK_EQ(size_of_next_region(), n);
}

static void memory(void) {
  char* memory = kmp_malloc(100);
  memset(memory, 1, 100);
  memory = kmp_realloc(memory, 1000);
  CHECK_EQ(memory[99], 1);
  kmp_free(memory);
  memory = kmp_calloc(10, 10);
  CHECK_EQ(memory[99], 0);
  kmp_free(memory);
  memory = kmp_aligned_malloc(100, 256);
  CHECK_EQ((uintptr_t)memory % 256, 0);
  kmp_free(memory);
}

static void memory_in_fortran(void) {
  const size_t ten = 10, hundred = 100, thousand = 1000, page = 4096;
  void* memory = kmp_malloc_(&hundred);
  memset(memory, 1, hundred);
  memory = kmp_realloc_(&memory, &thousand);
  CHECK_EQ(((char*)memory)[99], 1);
  kmp_free_(&memory);
  memory = kmp_calloc_(&ten, &ten);
  CHECK_EQ(((char*)memory)[99], 0);
  kmp_free_(&memory);
  memory = kmp_aligned_malloc_(&hundred, &page);
  CHECK_EQ((uintptr_t)memory % page, 0);
  kmp_free_(&memory);
}

/* omp_invalid_device in LLVM's newer headers; GCC's is another number. */
static void invalid_device(void) {
  const int invalid = -2, before = omp_get_default_device();
  omp_set_default_device(invalid);
  CHECK_EQ(omp_get_default_device(), invalid);
  omp_set_default_device(before);
  CHECK_EQ(omp_get_default_device(), before);
}

static void affinity(void) {
  const int first = 0;
  void* mask;
  kmp_create_affinity_mask(&mask);
  CHECK_EQ(kmp_get_affinity_mask_proc(0, &mask), 0);
  CHECK_EQ(kmp_set_affinity_mask_proc(0, &mask), 0);
  CHECK_EQ(kmp_get_affinity_mask_proc(0, &mask), 1);
  CHECK_EQ(kmp_unset_affinity_mask_proc(0, &mask), 0);
  CHECK_EQ(kmp_get_affinity_mask_proc(0, &mask), 0);
  CHECK_EQ(kmp_set_affinity_mask_proc_(&first, &mask), 0);
  CHECK_EQ(kmp_get_affinity_mask_proc_(&first, &mask), 1);
  CHECK_EQ(kmp_unset_affinity_mask_proc_(&first, &mask), 0);
  CHECK_EQ(kmp_get_affinity_mask_proc_(&first, &mask), 0);
  CHECK(kmp_set_affinity_mask_proc(kmp_get_affinity_max_proc() + 64, &mask) != 0);
  CHECK(kmp_set_affinity_mask_proc(-1, &mask) != 0);
  CHECK_EQ(kmp_get_affinity(&mask), 0);
  CHECK_EQ(kmp_set_affinity(&mask), 0); /* it is there already */
  kmp_destroy_affinity_mask(&mask);
}

static void c_names(void) {
  const int n = omp_get_max_threads();
  ompc_set_num_threads(3);
  CHECK_EQ(omp_get_max_threads(), 3);
#pragma omp parallel
  {
    CHECK_EQ(ompc_get_team_size(1), omp_get_num_threads());
    CHECK_EQ(ompc_get_ancestor_thread_num(1), omp_get_thread_num());
  }
  ompc_set_num_threads(n);
  ompc_set_dynamic(1);
  CHECK(omp_get_dynamic());
  ompc_set_dynamic(0);
  CHECK(!omp_get_dynamic());
  ompc_set_max_active_levels(3);
  CHECK_EQ(omp_get_max_active_levels(), 3);
  ompc_set_nested(0);
  CHECK_EQ(omp_get_max_active_levels(), 1);
  omp_sched_t kind;
  int chunk;
  ompc_set_schedule(omp_sched_guided, 5);
  omp_get_schedule(&kind, &chunk);
  CHECK(kind == omp_sched_guided && chunk == 5);
  char text[20];
  ompc_set_affinity_format("thread %n");
  CHECK_EQ(ompc_get_affinity_format(text, sizeof text), 9);
  CHECK(strcmp(text, "thread %n") == 0);
  CHECK_EQ(ompc_capture_affinity(text, sizeof text, NULL), 8);
  CHECK(strcmp(text, "thread 0") == 0);
}

/* libomp observes it only before its first region. */
static void defaults(void) {
  if (!on_bobbin()) return;
  kmp_set_defaults("KMP_STACKSIZE=3M|KMP_BLOCKTIME=11ms|OMP_NUM_THREADS=77");
  CHECK_EQ(kmp_get_stacksize_s(), 3 << 20);
  CHECK_EQ(kmp_get_blocktime(), 11);
  /* The environment has that one. */
  CHECK_EQ(omp_get_max_threads(), atoi(getenv("OMP_NUM_THREADS")));
  CHECK_EQ(size_of_next_region(), omp_get_max_threads());
}

/* Each call adds to the previous ones, and does not change what it does not name. */
static void further_defaults(void) {
  if (!on_bobbin()) return;
  omp_sched_t kind;
  int chunk;
  kmp_set_defaults("KMP_STACKSIZE=5M|OMP_NUM_TEAMS=3");
  kmp_set_blocktime(7);
  omp_set_num_threads(3);
  omp_set_schedule(omp_sched_guided, 6);
  omp_set_max_active_levels(2);
  kmp_set_defaults("OMP_TEAMS_THREAD_LIMIT=4");
  CHECK_EQ(kmp_get_stacksize_s(), 5 << 20);
  CHECK_EQ(omp_get_max_teams(), 3);
  CHECK_EQ(omp_get_teams_thread_limit(), 4);
  CHECK_EQ(kmp_get_blocktime(), 7);
  CHECK_EQ(omp_get_max_threads(), 3);
  CHECK_EQ(omp_get_max_active_levels(), 2);
  omp_get_schedule(&kind, &chunk);
  CHECK(kind == omp_sched_guided && chunk == 6);

  omp_set_num_teams(5);
  kmp_set_defaults("KMP_BLOCKTIME=9ms|OMP_SCHEDULE=static,8|KMP_STACKSIZE=6M");
  CHECK_EQ(kmp_get_stacksize_s(), 6 << 20);
  CHECK_EQ(omp_get_max_teams(), 5);
  CHECK_EQ(kmp_get_blocktime(), 9);
  omp_get_schedule(&kind, &chunk);
  CHECK(kind == omp_sched_static && chunk == 8);
}

int main(void) {
  CHECK_BEGIN();
  kmp_set_warnings_off();
  omp_set_dynamic(0);
  RUN(stack);
  RUN(block_time);
  RUN(library);
  RUN(memory);
  RUN(memory_in_fortran);
  RUN(invalid_device);
  RUN(affinity);
  RUN(c_names);
  CHECK_EQ(__kmpc_get_target_offload(), 1);
  RUN(defaults);
  RUN(further_defaults);
  return check_end();
}
