/* SPDX-License-Identifier: Apache-2.0
 * Places and binding: the queries agree with one another and with where threads run, for every
 * proc_bind, whatever OMP_PLACES says; and the affinity format. Run in several environments. */
#define _GNU_SOURCE
#include <sched.h>

#include "check.h"

enum { kMost = 1024 };

static int has_processor(int place, int processor) {
  int count = omp_get_place_num_procs(place), ids[kMost];
  if (count <= 0 || count > kMost) return 0;
  omp_get_place_proc_ids(place, ids);
  for (int i = 0; i < count; i++)
    if (ids[i] == processor) return 1;
  return 0;
}

static void places(void) {
  int places = omp_get_num_places();
  cpu_set_t usable;
  CHECK(places >= 0);
  CHECK_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
  for (int p = 0; p < places; p++) {
    int count = omp_get_place_num_procs(p), ids[kMost];
    CHECK(count >= 1 && count <= kMost);
    omp_get_place_proc_ids(p, ids);
    for (int i = 0; i < count; i++) CHECK(ids[i] >= 0 && ids[i] < CPU_SETSIZE);
  }
  CHECK_EQ(omp_get_place_num_procs(-1), 0);
  CHECK_EQ(omp_get_place_num_procs(places), 0);
}

static int partition(int* first) {
  int count = omp_get_partition_num_places(), numbers[kMost];
  CHECK(count >= 0 && count <= omp_get_num_places());
  if (count > 0) {
    omp_get_partition_place_nums(numbers);
    *first = numbers[0];
    for (int i = 0; i < count; i++) CHECK(numbers[i] >= 0 && numbers[i] < omp_get_num_places());
  }
  return count;
}

static void where_am_i(void) {
  int place = omp_get_place_num(), places = omp_get_num_places();
  CHECK(place >= -1 && place < places);
  if (omp_get_proc_bind() == omp_proc_bind_false || places == 0) return;
  CHECK(place >= 0);
  /* A bound thread runs on a processor of its place, now and after every wait. */
  for (int i = 0; i < 3; i++) {
    CHECK(has_processor(omp_get_place_num(), sched_getcpu()));
    CHECK_EQ(omp_get_place_num(), place);
#pragma omp barrier
  }
}

static int place_of[kMost];

static void teams(void) {
  int n = omp_get_max_threads(), first = 0, count = 0, mine = 0;
  int bound = omp_get_proc_bind() != omp_proc_bind_false && omp_get_num_places() > 0;
#pragma omp parallel
  {
    int begin = 0;
    partition(&begin);
    where_am_i();
  }
#pragma omp parallel proc_bind(master)
  {
    where_am_i();
    place_of[omp_get_thread_num()] = omp_get_place_num();
  }
  if (bound)
    for (int t = 0; t < n; t++) CHECK_EQ(place_of[t], place_of[0]);
#pragma omp parallel proc_bind(close)
  {
    where_am_i();
    place_of[omp_get_thread_num()] = omp_get_place_num();
#pragma omp master
    count = partition(&first);
  }
  if (bound && count > 0) {
    mine = place_of[0];
    /* close, with no more threads than places: consecutive places from the master's on. */
    for (int t = 0; t < n && n <= count; t++)
      CHECK_EQ((place_of[t] - first + count) % count, (mine - first + t) % count);
    /* More threads than places: consecutive threads share a place, or follow. */
    for (int t = 1; t < n && n > count; t++) {
      int step = (place_of[t] - place_of[t - 1] + count) % count;
      CHECK(step == 0 || step == 1);
    }
  }
#pragma omp parallel proc_bind(spread)
  {
    int begin = 0, size = partition(&begin);
    where_am_i();
    place_of[omp_get_thread_num()] = omp_get_place_num();
    if (bound) CHECK(size >= 1);
  }
  if (bound && n <= count)
    for (int t = 0; t < n; t++)
      for (int u = 0; u < t; u++) CHECK(place_of[t] != place_of[u]);
}

static void inner_teams(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 3)) proc_bind(spread)
  {
    int outer = omp_get_place_num(), begin = 0;
    partition(&begin);
#pragma omp parallel num_threads(2) proc_bind(master)
    {
      where_am_i();
      if (omp_get_proc_bind() != omp_proc_bind_false && omp_get_num_places() > 0)
        CHECK_EQ(omp_get_place_num(), outer);
    }
#pragma omp parallel num_threads(2) proc_bind(close)
    where_am_i();
  }
}

/* A target region on the host has all places. Afterwards the thread has its own places again. Clang
 * calls the region like a function. */
static void target_region(void) {
#ifndef __clang__
#pragma omp parallel proc_bind(spread)
  {
    int begin = 0, count = partition(&begin), place = omp_get_place_num();
    int inside = -1, first = 0, where = -1;
#pragma omp target map(tofrom : inside, first, where)
    {
      inside = partition(&first);
      where = omp_get_place_num();
    }
    CHECK_EQ(where, place);
    if (omp_get_proc_bind() != omp_proc_bind_false && omp_get_num_places() > 0) {
      CHECK_EQ(inside, omp_get_num_places());
      CHECK_EQ(first, 0);
    }
    int again = 0;
    CHECK_EQ(partition(&again), count);
    CHECK_EQ(again, begin);
  }
#endif
}

static void format(void) {
  char text[200], wanted[200];
  omp_set_affinity_format("L%0.3L n%n N%N %% %{thread_num} a%a");
  size_t length = omp_get_affinity_format(text, sizeof text);
  CHECK_EQ(length, strlen("L%0.3L n%n N%N %% %{thread_num} a%a"));
  CHECK(strcmp(text, "L%0.3L n%n N%N %% %{thread_num} a%a") == 0);
  CHECK_EQ(omp_get_affinity_format(text, 5), length);
  CHECK(strcmp(text, "L%0.") == 0);
#pragma omp parallel private(text, wanted)
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    snprintf(wanted, sizeof wanted, "L001 n%d N%d %% %d a0", me, n, me);
    size_t size = omp_capture_affinity(text, sizeof text, NULL);
    CHECK_EQ(size, strlen(wanted));
    if (strcmp(text, wanted) != 0) {
      fprintf(stderr, "captured '%s', want '%s'\n", text, wanted);
      CHECK(0);
    }
    snprintf(wanted, sizeof wanted, "%-5d|%6d|%05d|%d", me, n, 1, getpid());
    omp_capture_affinity(text, sizeof text, "%5n|%.6N|%0.5L|%P");
    if (strcmp(text, wanted) != 0) {
      fprintf(stderr, "captured '%s', want '%s'\n", text, wanted);
      CHECK(0);
    }
    omp_capture_affinity(text, sizeof text, "%H %A %i %T %t");
    CHECK(strlen(text) > 4);
  }
  /* It prints one line: libgomp and Bobbin to standard error, libomp to standard output. */
  FILE* file = tmpfile();
  int saved[] = {dup(1), dup(2)};
  for (int end = 1; end <= 2; end++) dup2(fileno(file), end);
  omp_display_affinity("shown %n of %N");
  fflush(stdout);
  for (int end = 1; end <= 2; end++) {
    dup2(saved[end - 1], end);
    close(saved[end - 1]);
  }
  rewind(file);
  CHECK(fgets(text, sizeof text, file) != NULL);
  CHECK(strcmp(text, "shown 0 of 1\n") == 0);
  fclose(file);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(places);
  RUN(teams);
  RUN(inner_teams);
  RUN(target_region);
  RUN(format);
  return check_end();
}
