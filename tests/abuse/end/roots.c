// SPDX-License-Identifier: Apache-2.0
// Many pthreads as roots: at once, one after the other, and with every kind of end.
#include "../common/abuse.h"

static pthread_key_t g_key;
static int g_key_regions;

static void* many_regions(void* arg) {
  for (int i = 0; i < 200; i++) region(2 + (int)(i + (intptr_t)arg) % 4);
  return NULL;
}

static void at_once(void) {
  enum { kRoots = 16 };
  pthread_t threads[kRoots];
  for (intptr_t i = 0; i < kRoots; i++)
    CHECK(pthread_create(&threads[i], NULL, many_regions, (void*)i) == 0);
  for (int i = 0; i < kRoots; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static void* mixed_regions(void* arg) {
  (void)arg;
  for (int i = 0; i < 10; i++) {
    omp_set_max_active_levels(3);
    all_regions();
  }
  return NULL;
}

static void at_once_mixed(void) {
  enum { kRoots = 8 };
  pthread_t threads[kRoots];
  for (int i = 0; i < kRoots; i++)
    CHECK(pthread_create(&threads[i], NULL, mixed_regions, NULL) == 0);
  for (int i = 0; i < kRoots; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static void* one_region(void* arg) {
  region(4);
  return arg;
}

// Neither memory nor kernel threads may pile up after roots that have ended.
static void short_lived(void) {
  long rss = 0, size = 0;
  for (int i = 0; i < 1000; i++) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, one_region, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    if (i == 200) {
      rss = proc_status("VmRSS:");
      size = proc_status("VmSize:");
    }
  }
  // Address space: libc's arenas come and go with 64 MB each, while 800 leaked stacks would be 6
  // GB.
  const long rss_growth = proc_status("VmRSS:") - rss, size_growth = proc_status("VmSize:") - size;
  const long kernel_threads = proc_status("Threads:");
  if (rss_growth > 4096 || size_growth > 1024 * 1024 || kernel_threads > 16)
    dprintf(2, "rss +%ld kB, size +%ld kB, %ld kernel threads\n", rss_growth, size_growth,
            kernel_threads);
  CHECK(rss_growth <= 4096);
  CHECK(size_growth <= 1024 * 1024);
  CHECK(kernel_threads <= 16);
}

// The same in waves of 20 roots that live at the same time.
static void waves(void) {
  enum { kWave = 20 };
  long rss = 0;
  for (int wave = 0; wave < 40; wave++) {
    pthread_t threads[kWave];
    for (int i = 0; i < kWave; i++) CHECK(pthread_create(&threads[i], NULL, one_region, NULL) == 0);
    for (int i = 0; i < kWave; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    if (wave == 10) rss = proc_status("VmRSS:");
  }
  CHECK(proc_status("VmRSS:") - rss <= 8192);
  region(4);
}

static void* region_then_pthread_exit(void* arg) {
  region(4);
  pthread_exit(arg);
}

static void by_pthread_exit(void) {
  for (int i = 0; i < 50; i++) {
    pthread_t thread;
    void* result = NULL;
    CHECK(pthread_create(&thread, NULL, region_then_pthread_exit, (void*)&g_key) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == (void*)&g_key);
    region(4);
  }
}

static void* region_then_wait(void* arg) {
  region(4);
  pthread_barrier_wait((pthread_barrier_t*)arg);
  for (;;) pause();
  return NULL;
}

static void cancelled(void) {
  pthread_barrier_t reached;
  pthread_barrier_init(&reached, NULL, 2);
  for (int i = 0; i < 50; i++) {
    pthread_t thread;
    void* result = NULL;
    CHECK(pthread_create(&thread, NULL, region_then_wait, &reached) == 0);
    pthread_barrier_wait(&reached);
    CHECK(pthread_cancel(thread) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    region(4);
  }
}

// A cancellation request that arrives before a region takes effect after the region. It must not
// interrupt a region half way, whatever functions the runtime uses to wait.
static void* pending_cancel(void* arg) {
  int* done = (int*)arg;
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  CHECK(pthread_cancel(pthread_self()) == 0);
  for (int i = 0; i < 20; i++) region(4);
  *done = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  pthread_testcancel();
  return NULL;
}

static void cancel_pending(void) {
  pthread_t thread;
  void* result = NULL;
  int done = 0;
  CHECK(pthread_create(&thread, NULL, pending_cancel, &done) == 0);
  CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED && done == 1);
  region(4);
}

// Destructors of thread-specific data run while the thread ends, in an undefined order.
static void key_destructor(void* arg) {
  region(3);
#pragma omp atomic
  g_key_regions++;
  if ((intptr_t)arg > 1) pthread_setspecific(g_key, (void*)((intptr_t)arg - 1));
}

static void* with_key(void* arg) {
  (void)arg;
  pthread_setspecific(g_key, (void*)3);
  region(4);
  return NULL;
}

static void region_in_key_destructor(void) {
  CHECK(pthread_key_create(&g_key, key_destructor) == 0);
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, with_key, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
  }
  CHECK(g_key_regions == 60);
  CHECK(proc_status("Threads:") <= 16);
}

static pthread_key_t g_member_key;
static int g_members_ended;

static void member_ends(void* arg) {
  (void)arg;
  cpu_set_t mask;
  CHECK(pthread_getaffinity_np(pthread_self(), sizeof mask, &mask) == 0 && CPU_COUNT(&mask) > 0);
  CHECK(region(3) >= 1);
#pragma omp critical
  {
    usleep(10);
    g_members_ended++;
  }
  sched_yield();
}

static void* with_member_keys(void* arg) {
#pragma omp parallel num_threads(4)
  {
    CHECK(pthread_setspecific(g_member_key, arg) == 0);
#pragma omp barrier
  }
  return NULL;
}

// When a root ends, destructors that use OpenMP destroy the data of its teams' threads. These must
// not pile up anything either.
static void destructors_of_members(void) {
  enum { kRoots = 4, kTurns = 400 };
  CHECK(pthread_key_create(&g_member_key, member_ends) == 0);
  long rss = 0;
  for (int i = 0; i < kTurns; i++) {
    pthread_t threads[kRoots];
    for (int k = 0; k < kRoots; k++)
      CHECK(pthread_create(&threads[k], NULL, with_member_keys, &g_key) == 0);
    for (int k = 0; k < kRoots; k++) CHECK(pthread_join(threads[k], NULL) == 0);
    if (i == kTurns / 4) rss = proc_status("VmRSS:");
  }
  const long growth = proc_status("VmRSS:") - rss;
  if (growth > 4096) dprintf(2, "rss +%ld kB\n", growth);
  CHECK(growth <= 4096);
  // Kernel threads may still be about to end.
  for (int ended = 0; ended < 4 * kRoots * kTurns; sched_yield()) {
#pragma omp critical
    ended = g_members_ended;
  }
}

// pthreads made by the threads of a region, opening regions of their own.
static void made_in_region(void) {
  int good = 0;
#pragma omp parallel num_threads(4) reduction(+ : good)
  {
    pthread_t thread;
    void* result = NULL;
    CHECK(pthread_create(&thread, NULL, many_regions, (void*)0) == 0);
    CHECK(pthread_join(thread, &result) == 0);
    good++;
  }
  CHECK(good >= 1);
}

static void* last_root(void* arg) {
  pthread_join(*(pthread_t*)arg, NULL);
  region(4);
  return NULL;
}

// main() ends by pthread_exit: the process ends with status 0 when the program's last thread does.
// The runtime's threads do not count.
static void main_exits_child(void) {
  static pthread_t main_thread;
  pthread_t thread;
  main_thread = pthread_self();
  region(4);
  CHECK(pthread_create(&thread, NULL, last_root, &main_thread) == 0);
  pthread_exit(NULL);
}

static void main_pthread_exit(void) {
  char* argv[] = {(char*)"main-exits-child", NULL};
  struct outcome out;
  run_self(argv, NULL, NULL, &out);
  CHECK(out.status == 0 && out.err[0] == '\0');
}

static int g_done;

static void* pause_over_and_over(void* arg) {
  for (int done = 0; !done;) {
    omp_pause_resource_all(omp_pause_soft);
#pragma omp atomic read
    done = g_done;
  }
  return arg;
}

static void* regions_worth_help(void* arg) {
  const double end = now_s() + 2;
  while (now_s() < end) {
#pragma omp parallel num_threads(5)
    for (double until = now_s() + 40e-6; now_s() < until;) {
    }
  }
#pragma omp atomic write
  g_done = 1;
  return arg;
}

// A root gives the pool's kernel threads back while another root starts them. None is lost: all end
// when the last root has ended.
static void pausing_child(void) {
  const long before = proc_status("Threads:");
  pthread_t threads[2];
  CHECK(pthread_create(&threads[0], NULL, pause_over_and_over, NULL) == 0);
  CHECK(pthread_create(&threads[1], NULL, regions_worth_help, NULL) == 0);
  for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  const double end = now_s() + kPatience;
  while (proc_status("Threads:") > before && now_s() < end) sched_yield();
  CHECK(proc_status("Threads:") == before);
}

static void pausing(void) {
  char* argv[] = {(char*)"pausing-child", NULL};
  const char* env[] = {"BOBBIN_WORKERS=5", NULL};
  struct outcome out;
  run_self(argv, env, NULL, &out);
  if (out.status != 0) dprintf(2, "%s\n", out.err);
  CHECK(out.status == 0 && out.err[0] == '\0');
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"at-once", at_once},
      {"at-once-mixed", at_once_mixed},
      {"short-lived", short_lived},
      {"waves", waves},
      {"pthread-exit", by_pthread_exit},
      {"cancelled", cancelled},
      {"cancel-pending", cancel_pending},
      {"region-in-key-destructor", region_in_key_destructor},
      {"destructors-of-members", destructors_of_members},
      {"made-in-region", made_in_region},
      {"main-exits-child", main_exits_child},
      {"pausing", pausing},
      {"pausing-child", pausing_child},
      {"main-pthread-exit", main_pthread_exit},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
