/* SPDX-License-Identifier: Apache-2.0
 * The rest of the API: clocks, nesting switches, pausing, displaying, devices, teams queries. */
#include <dlfcn.h>

#include "check.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

static void clocks(void) {
  double tick = omp_get_wtick(), start = omp_get_wtime(), last = start;
  CHECK(tick > 0 && tick < 0.1);
  for (int i = 0; i < 1000; i++) {
    double now = omp_get_wtime();
    CHECK(now >= last);
    last = now;
  }
  CHECK(last - start < 5);
}

static void nesting(void) {
  omp_set_nested(1);
  CHECK(omp_get_nested());
  CHECK(omp_get_max_active_levels() > 1);
  omp_set_nested(0);
  CHECK(!omp_get_nested());
  CHECK_EQ(omp_get_max_active_levels(), 1);
}

static int counted = 128;
#pragma omp threadprivate(counted)

/* After a pause everything still works. All threads except the first are new. */
static void pausing(void) {
  int n = omp_get_max_threads();
  for (int round = 0; round < 3; round++) {
    int ran = 0;
#pragma omp parallel
    {
      int first = omp_get_thread_num() == 0;
      CHECK_EQ(counted, first ? 128 + round : 128);
      counted++;
      add_one(&ran);
    }
    CHECK_EQ(ran, n);
#pragma omp parallel
    CHECK_EQ(counted, omp_get_thread_num() == 0 ? 129 + round : 129);
    CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
    CHECK_EQ(omp_pause_resource_all(round ? omp_pause_soft : omp_pause_hard), 0);
    const int stop_tool = 3; /* omp_pause_stop_tool of OpenMP 6.0 */
    if (on_bobbin()) CHECK_EQ(omp_pause_resource_all((omp_pause_resource_t)stop_tool), 0);
  }
  CHECK_EQ(omp_get_max_threads(), n);
#pragma omp parallel
  {
    if (omp_get_num_threads() > 1)
      CHECK(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) != 0);
  }
}

/* Sends stderr into a temporary file while the library prints. */
static char printed[16384];

static void capture(void (*print)(void)) {
  FILE* file = tmpfile();
  fflush(stderr);
  int saved = dup(2);
  dup2(fileno(file), 2);
  print();
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  rewind(file);
  size_t length = fread(printed, 1, sizeof printed - 1, file);
  printed[length] = '\0';
  fclose(file);
}

static void print_plain(void) { omp_display_env(0); }
static void print_verbose(void) { omp_display_env(1); }

static void display(void) {
  capture(print_plain);
  static const char* const kNames[] = {"OPENMP DISPLAY ENVIRONMENT BEGIN",
                                       "OPENMP DISPLAY ENVIRONMENT END",
                                       "_OPENMP",
                                       "OMP_DYNAMIC",
                                       "OMP_NUM_THREADS",
                                       "OMP_SCHEDULE",
                                       "OMP_PROC_BIND",
                                       "OMP_PLACES",
                                       "OMP_STACKSIZE",
                                       "OMP_WAIT_POLICY",
                                       "OMP_THREAD_LIMIT",
                                       "OMP_MAX_ACTIVE_LEVELS",
                                       "OMP_CANCELLATION",
                                       "OMP_DEFAULT_DEVICE",
                                       "OMP_MAX_TASK_PRIORITY",
                                       "OMP_DISPLAY_AFFINITY",
                                       "OMP_AFFINITY_FORMAT"};
  for (unsigned i = 0; i < sizeof kNames / sizeof *kNames; i++) {
    if (strstr(printed, kNames[i]) == NULL) {
      fprintf(stderr, "missing %s\n", kNames[i]);
      CHECK(0);
    }
  }
  char want[32];
  snprintf(want, sizeof want, "'%d'", omp_get_max_threads());
  const char* line = strstr(printed, "OMP_NUM_THREADS");
  CHECK(line != NULL && strstr(line, want) != NULL);
  size_t plain = strlen(printed);
  capture(print_verbose);
  CHECK(strlen(printed) >= plain);
}

static void devices(void) {
  CHECK(omp_is_initial_device());
  CHECK(omp_get_initial_device() >= 0);
  CHECK_EQ(omp_get_num_devices(), omp_get_initial_device());
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
}

/* The queries are cheap enough to be called everywhere: from tasks and inner teams, at any time. */
static void from_everywhere(void) {
  int total = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 4))
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(total)
      {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        CHECK(me >= 0 && me < n);
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_ancestor_thread_num(1), me);
        CHECK_EQ(omp_get_team_size(1), n);
        CHECK_EQ(omp_get_ancestor_thread_num(omp_get_level()), me);
        add_one(&total);
      }
    }
  }
  CHECK_EQ(total, 20 * min_int(omp_get_max_threads(), 4));
}

/* The query for devices may ask the loader, but dlerror() belongs to the program. */
static void loader_message(void) {
  dlerror();
  CHECK_EQ(omp_get_num_devices(), 0);
  CHECK(dlerror() == NULL);
  CHECK(dlopen("/no/such/library.so", RTLD_NOW) == NULL);
  CHECK_EQ(omp_get_initial_device(), 0);
  const char* message = dlerror();
  CHECK(message != NULL && strstr(message, "/no/such/library.so") != NULL);
}

int main(void) {
  CHECK_BEGIN();
  RUN(clocks);
  RUN(nesting);
  RUN(pausing);
  RUN(display);
  RUN(devices);
  RUN(loader_message);
  RUN(from_everywhere);
  return check_end();
}
