// SPDX-License-Identifier: Apache-2.0
// How many tasks of one thread a runtime keeps before it runs further ones at once, and how much
// memory a kept one takes. The other threads sleep meanwhile, so that nobody takes any.
#include <malloc.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

#include "common.h"

static const char kUsage[] =
    "tasks_kept [most=100000] [depend=no|yes]\n"
    "most    tasks that are created if the runtime keeps them all\n"
    "depend  yes: each task names an address of its own as inout\n";

// What the process has from the C library or, beyond that, from the kernel.
static double memory_bytes(void) {
  long pages = 0, resident = 0;
  FILE* status = fopen("/proc/self/statm", "r");
  require(status != NULL && fscanf(status, "%ld %ld", &pages, &resident) == 2, "the memory in use");
  fclose(status);
  double of_kernel = (double)resident * (double)sysconf(_SC_PAGESIZE);
  struct mallinfo2 heap = mallinfo2();
  // A page of the heap may have been there before; one of the kernel's is new.
  return fmax(of_kernel, (double)(heap.uordblks + heap.hblkhd));
}

static atomic_int creating;
static atomic_long ran_at_once, ran;

static void body(long* datum) {
  if (atomic_load(&creating)) atomic_fetch_add(&ran_at_once, 1);
  atomic_fetch_add(&ran, 1);
  (*datum)++;
}

// Returns the number of tasks created, the last of which the runtime has run at once.
static long create(long most, int depend, long* data) {
  long created = 0;
  atomic_store(&creating, 1);
  while (created < most && atomic_load(&ran_at_once) == 0) {
    long* datum = &data[created++];
    if (depend) {
#pragma omp task firstprivate(datum) depend(inout : *datum)
      body(datum);
    } else {
#pragma omp task firstprivate(datum)
      body(datum);
    }
  }
  atomic_store(&creating, 0);
  return created;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long most = (long)arg_number(argc, argv, "most", 100000);
  int depend = strcmp(arg_text(argc, argv, "depend", "no"), "yes") == 0;
  require(most > 0, "most is at least 1");
  long* data = malloc((size_t)most * sizeof *data);
  require(data != NULL, "memory for the tasks' data");
  memset(data, 0, (size_t)most * sizeof *data);

  long created = 0;
  double taken = 0;
  atomic_int finished = 0;
#pragma omp parallel shared(created, taken, finished)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      double before = memory_bytes();
      created = create(most, depend, data);
      taken = memory_bytes() - before;
      atomic_store(&finished, 1);
    } else {
      while (!atomic_load(&finished)) sleep_until(seconds() + 1e-4);
    }
  }
  require(atomic_load(&ran) == created, "every task ran once");
  for (long i = 0; i < created; i++) require(data[i] == 1, "every task ran on its own datum");
  long kept = created - atomic_load(&ran_at_once);
  print_metric_of("kept", (double)kept, "tasks", "all=%s", kept == most ? "yes" : "no");
  print_metric("kept_bytes", kept > 0 ? taken / (double)kept : 0, "B");
  free(data);
  passed();
  return 0;
}
