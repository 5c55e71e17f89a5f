/* SPDX-License-Identifier: Apache-2.0
 * target and its data constructs where the host is the only device. The region runs in place, on
 * the host's own memory, and the order of nowait and depend is respected. */
#include "check.h"

#pragma omp declare target
static int on_device(int x) { return 3 * x; }
static int device_global = 5;
#pragma omp end declare target

static void region(void) {
  int value = 1, array[20], initial = -1;
  for (int i = 0; i < 20; i++) array[i] = i;
#pragma omp target map(tofrom : value, array, initial) map(always, tofrom : device_global)
  {
    initial = omp_is_initial_device();
    value = on_device(7);
    for (int i = 0; i < 20; i++) array[i] *= 2;
    device_global++;
  }
  CHECK_EQ(initial, 1);
  CHECK_EQ(value, 21);
  CHECK_EQ(device_global, 6);
  for (int i = 0; i < 20; i++) CHECK_EQ(array[i], 2 * i);
}

static void sharing(void) {
  int first = 4, scratch = 1, scalar = 3, out = 0;
  int* heap = malloc(30 * sizeof *heap);
  for (int i = 0; i < 30; i++) heap[i] = i;
#pragma omp target firstprivate(first) private(scratch) map(from : out) map(tofrom : heap[0 : 30])
  {
    scratch = first + scalar;
    first = scalar = 0;
    out = scratch;
    heap[29] = 100;
  }
  CHECK_EQ(out, 7);
  CHECK_EQ(first, 4);
  CHECK_EQ(scalar, 3);
  CHECK_EQ(scratch, 1);
  CHECK_EQ(heap[29], 100);
#pragma omp target defaultmap(tofrom : scalar)
  scalar = 77;
  CHECK_EQ(scalar, 77);
  free(heap);
}

static void data_constructs(void) {
  enum { kCount = 40 };
  double a[kCount], b[kCount];
  for (int i = 0; i < kCount; i++) a[i] = i;
#pragma omp target data map(to : a) map(from : b)
  {
#pragma omp target
    for (int i = 0; i < kCount; i++) b[i] = a[i] + 1;
    a[0] = 50;
#pragma omp target update to(a[0 : 1])
#pragma omp target
    b[0] = a[0];
#pragma omp target update from(b)
    CHECK(b[0] == 50);
  }
  for (int i = 1; i < kCount; i++) CHECK(b[i] == i + 1);
#pragma omp target enter data map(to : a)
#pragma omp target map(alloc : a)
  a[1] = -1;
#pragma omp target exit data map(from : a)
  CHECK(a[1] == -1);
  double* pointer = a;
#pragma omp target data map(tofrom : a) use_device_addr(a)
  a[2] = 9;
#pragma omp target data map(tofrom : pointer[0 : kCount]) use_device_ptr(pointer)
#pragma omp target is_device_ptr(pointer)
  pointer[3] = 8;
  CHECK(a[2] == 9 && a[3] == 8);
}

typedef struct {
  double values[5];
  char name[3];
} Record;

/* Copies are taken before the construct's predecessors have run. The originals stay unchanged. */
static void private_copies(void) {
  static int shared_array[40];
  volatile int unknown = 9;
  const int length = unknown;
  Record record = {{1, 2, 3, 4, 5}, "ab"};
  long array[30], variable_length[length];
  char one = 7;
  int result = 0, *pointer = shared_array;
  for (int i = 0; i < 30; i++) array[i] = i;
  for (int i = 0; i < length; i++) variable_length[i] = 2 * i;
#pragma omp target firstprivate(record, array, variable_length, one, pointer) map(tofrom : result)
  {
    CHECK(record.values[4] == 5 && record.name[1] == 'b' && pointer == shared_array);
    for (int i = 0; i < 30; i++) result += (int)array[i];
    for (int i = 0; i < length; i++) result += (int)variable_length[i];
    result += one;
    record.values[4] = -1;
    array[3] = variable_length[3] = -1;
    one = 0;
  }
  CHECK_EQ(result, 435 + length * (length - 1) + 7);
  CHECK(record.values[4] == 5 && array[3] == 3 && variable_length[3] == 6 && one == 7);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : result) shared(result, array)
    result = 100;
#pragma omp target nowait depend(inout : result) firstprivate(array) map(tofrom : result)
    {
      result += (int)array[5];
      array[5] = -1;
    }
#pragma omp taskwait
  }
  CHECK(result == 105 && array[5] == 5);
}

/* nowait makes it a task: depend orders these tasks, and taskwait waits for them. */
static void asynchronous(void) {
  int value = 0, other[10] = {0};
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : value) shared(value) firstprivate(i)
      {
        CHECK_EQ(value, 4 * i);
        value++;
      }
#pragma omp target nowait depend(inout : value) map(tofrom : value)
      value++;
#pragma omp target depend(inout : value) map(tofrom : value)
      value++;
#pragma omp target update to(value) nowait depend(inout : value)
#pragma omp target enter data map(to : other) nowait depend(inout : value)
#pragma omp target exit data map(from : other) nowait depend(inout : value)
#pragma omp target update from(value) depend(in : value)
#pragma omp task depend(inout : value) shared(value)
      value++;
    }
#pragma omp taskwait
    CHECK_EQ(value, 80);
#pragma omp target nowait map(tofrom : other)
    other[0] = 1;
#pragma omp taskwait
    CHECK_EQ(other[0], 1);
  }
}

/* The construct's predecessors may wait for a later action of the encountering thread. The copies
 * have the values at the time of the construct, and each construct has its own copies. */
static void deferred(void) {
  int value = 0, updated = 0, sums[8] = {0};
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value)
    {
    }
    for (int i = 0; i < 8; i++) {
      int numbers[50];
      for (int k = 0; k < 50; k++) numbers[k] = i * k;
#pragma omp target nowait depend(in : value) firstprivate(numbers, i) map(tofrom : sums)
      for (int k = 0; k < 50; k++) sums[i] += numbers[k];
      for (int k = 0; k < 50; k++) numbers[k] = -1;
    }
#pragma omp target update to(value) nowait depend(inout : value)
#pragma omp target enter data map(to : value) nowait depend(inout : value)
#pragma omp task depend(in : value) shared(updated)
    updated = 1;
    for (int i = 0; i < 8; i++) CHECK_EQ(sums[i], 0);
    CHECK_EQ(updated, 0);
    omp_fulfill_event(event);
#pragma omp taskwait
    for (int i = 0; i < 8; i++) CHECK_EQ(sums[i], 1225 * i);
    CHECK_EQ(updated, 1);
  }
}

static void combined(void) {
  enum { kCount = 200 };
  static int hits[kCount];
  int sum = 0, threads = 0;
#pragma omp target parallel num_threads(3) map(tofrom : threads)
  {
#pragma omp atomic
    threads++;
  }
  CHECK_EQ(threads, 3);
#pragma omp target parallel for map(tofrom : hits)
  for (int i = 0; i < kCount; i++) hits[i]++;
#pragma omp target teams num_teams(2) thread_limit(2) map(tofrom : sum)
  if (omp_get_team_num() == 0) sum = 10;
#pragma omp target teams distribute parallel for map(tofrom : hits) reduction(+ : sum) num_teams(2)
  for (int i = 0; i < kCount; i++) {
    hits[i]++;
    sum += 1;
  }
#pragma omp target teams distribute map(tofrom : hits)
  for (int i = 0; i < kCount; i++) hits[i]++;
#pragma omp target simd map(tofrom : hits)
  for (int i = 0; i < kCount; i++) hits[i]++;
#pragma omp target teams loop map(tofrom : hits)
  for (int i = 0; i < kCount; i++) hits[i]++;
  for (int i = 0; i < kCount; i++) CHECK_EQ(hits[i], 5);
  CHECK_EQ(sum, 10 + kCount);
}

/* Compilers reject these calls when they see them closely nested in teams. */
#pragma omp declare target
static int threads_before_change(void) {
  int before = omp_get_max_threads();
  omp_set_num_threads(before + 3);
  return before;
}
#pragma omp end declare target

/* Each team of a league begins with the settings that the league began with. */
static void settings_of_teams(void) {
  enum { kMost = 3 };
  int threads[kMost] = {0}, before = omp_get_max_threads(), teams = 0;
#pragma omp target teams num_teams(kMost) map(tofrom : threads, teams)
  {
    teams = omp_get_num_teams();
    threads[omp_get_team_num()] = threads_before_change();
  }
  for (int i = 1; i < teams; i++) CHECK_EQ(threads[i], threads[0]);
  CHECK_EQ(omp_get_max_threads(), before);
}

static void conditions(void) {
  int ran = 0, host = omp_get_initial_device();
#pragma omp target if (0) map(tofrom : ran)
  ran++;
#pragma omp target device(host) map(tofrom : ran)
  ran++;
#pragma omp target data if (0) map(tofrom : ran)
  ran++;
#pragma omp target thread_limit(2) map(tofrom : ran)
  {
    if (omp_get_thread_limit() <= 2 || !on_bobbin()) ran++;
  }
  CHECK_EQ(ran, 4);
}

static void device_memory(void) {
#ifndef GAP_device_memory
  int host = omp_get_initial_device(), here[12], back[12];
  CHECK_EQ(omp_get_num_devices(), 0);
  CHECK_EQ(omp_get_device_num(), host);
  for (int i = 0; i < 12; i++) here[i] = i * i;
  int* device = omp_target_alloc(sizeof here, host);
  CHECK(device != NULL);
  CHECK_EQ(omp_target_memcpy(device, here, sizeof here, 0, 0, host, host), 0);
  CHECK_EQ(omp_target_memcpy(back, device, sizeof(int) * 5, 0, sizeof(int) * 2, host, host), 0);
  for (int i = 0; i < 5; i++) CHECK_EQ(back[i], (i + 2) * (i + 2));
  size_t volume[2] = {2, 3}, to[2] = {0, 0}, from[2] = {1, 1}, dims[2] = {3, 4};
  memset(back, 0, sizeof back);
  CHECK_EQ(omp_target_memcpy_rect(back, device, sizeof(int), 2, volume, to, from, dims, dims, host,
                                  host),
           0);
  for (int row = 0; row < 2; row++)
    for (int column = 0; column < 3; column++)
      CHECK_EQ(back[row * 4 + column], ((row + 1) * 4 + column + 1) * ((row + 1) * 4 + column + 1));
  CHECK(omp_target_memcpy_rect(NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, host, host) > 0);
  CHECK(omp_target_is_present(here, host));
  omp_target_free(device, host);
  CHECK(omp_target_associate_ptr(here, back, sizeof here, 0, host) != 0);
  CHECK(omp_target_disassociate_ptr(here, host) != 0);
  int before = omp_get_default_device();
  omp_set_default_device(host);
  CHECK_EQ(omp_get_default_device(), host);
  omp_set_default_device(before);
#endif
}

int main(void) {
  CHECK_BEGIN();
  RUN(region);
  RUN(sharing);
  RUN(data_constructs);
  RUN(private_copies);
  RUN(asynchronous);
  RUN(deferred);
  RUN(combined);
  RUN(settings_of_teams);
  RUN(conditions);
  RUN(device_memory);
  return check_end();
}
