// SPDX-License-Identifier: Apache-2.0
// The process ends in every way and in every state of the workers. It must always end at once, with
// the requested status.
#include "../common/abuse.h"

enum { kStatus = 7 };

static void end_by(const char* how) {
  if (strcmp(how, "exit") == 0) exit(kStatus);
  if (strcmp(how, "_exit") == 0) _exit(kStatus);
  quick_exit(kStatus);
}

static volatile int g_inside;

// Keeps a team inside a region for ever: some threads in a barrier, some spinning, one asleep.
static void busy_region(const char* how, int who) {
#pragma omp parallel num_threads(6)
  {
    const int me = omp_get_thread_num();
#pragma omp atomic
    g_inside++;
    if (me == who) {
      while (g_inside < omp_get_num_threads()) sched_yield();
      end_by(how);
    }
    if (me % 3 == 0) {
      for (;;) sched_yield();
    }
    if (me % 3 == 1) {
      for (;;) pause();
    }
#pragma omp barrier
  }
}

static void* busy_root(void* arg) {
  busy_region((const char*)arg, -1);
  return NULL;
}

static void* region_root(void* arg) {
  (void)arg;
  for (;;) {
    region(4);
    g_inside = 1;
  }
  return NULL;
}

// The child: argv[2] says how it ends, and argv[3] in which state.
static void child(const char* how, const char* state) {
  pthread_t thread;
  if (strcmp(state, "parked") == 0) {
    region(4);
    // Long enough for spinning workers to park. Nothing depends on it for synchronisation.
    usleep(30000);
    end_by(how);
  } else if (strcmp(state, "spinning") == 0) {
    region(4);
    end_by(how);
  } else if (strcmp(state, "region-initial") == 0) {
    busy_region(how, 0);
  } else if (strcmp(state, "region-other") == 0) {
    busy_region(how, 3);
  } else if (strcmp(state, "pthread-in-region") == 0) {
    CHECK(pthread_create(&thread, NULL, busy_root, (void*)how) == 0);
    while (g_inside < 2) sched_yield();
    end_by(how);
  } else if (strcmp(state, "pthread-opens-regions") == 0) {
    CHECK(pthread_create(&thread, NULL, region_root, NULL) == 0);
    while (!g_inside) sched_yield();
    end_by(how);
  } else if (strcmp(state, "task") == 0) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
      for (int i = 0; i < 100; i++) {
#pragma omp task
        if (i == 50) end_by(how);
      }
    }
  } else if (strcmp(state, "nested") == 0) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    busy_region(how, omp_get_thread_num() == 2 ? 1 : -1);
  }
  _exit(1);
}

static void run_all(const char* how) {
  static const char* const states[] = {"parked",
                                       "spinning",
                                       "region-initial",
                                       "region-other",
                                       "pthread-in-region",
                                       "pthread-opens-regions",
                                       "task",
                                       "nested"};
  for (unsigned i = 0; i < sizeof states / sizeof *states; i++) {
    for (int turn = 0; turn < 3; turn++) {
      struct outcome out;
      char* argv[] = {(char*)"child", (char*)how, (char*)states[i], NULL};
      run_self(argv, NULL, NULL, &out);
      if (out.status != kStatus || out.err[0] != '\0')
        dprintf(2, "%s, %s: status %d, stderr '%s'\n", how, states[i], out.status, out.err);
      CHECK(out.status == kStatus && out.err[0] == '\0');
    }
  }
}

static void by_exit(void) { run_all("exit"); }
static void by__exit(void) { run_all("_exit"); }
static void by_quick_exit(void) { run_all("quick_exit"); }

// ---- regions from exit handlers ----

static void handler(void) { all_regions(); }

static void handler_after_use(void) {
  CHECK(atexit(handler) == 0 && atexit(handler) == 0);
  all_regions();
}

static void handler_first_use(void) { CHECK(atexit(handler) == 0); }

static void quick_handler(void) {
  CHECK(at_quick_exit(handler) == 0);
  all_regions();
  quick_exit(0);
}

// exit() in a thread of a region whose siblings wait: the handlers run in that thread, inside the
// region.
static void handler_in_region(void) {
  CHECK(atexit(handler) == 0);
  omp_set_max_active_levels(5);
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 2 || omp_get_num_threads() < 3) exit(0);
#pragma omp barrier
  }
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"exit", by_exit},
      {"_exit", by__exit},
      {"quick_exit", by_quick_exit},
      {"handler-after-use", handler_after_use},
      {"handler-first-use", handler_first_use},
      {"handler-quick", quick_handler},
      {"handler-in-region", handler_in_region},
      {NULL, NULL},
  };
  if (argc == 4 && strcmp(argv[1], "child") == 0) child(argv[2], argv[3]);
  return run_case(cases, argc, argv);
}
