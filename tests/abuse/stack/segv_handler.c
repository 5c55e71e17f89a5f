// SPDX-License-Identifier: Apache-2.0
// A program's own SIGSEGV handler keeps working: installed before or after the first region, with
// and without SA_ONSTACK, in every thread. It is used for probing memory with siglongjmp, for write
// barriers that make a page accessible and return, and for surviving an overflow.
#include <setjmp.h>
#include <sys/mman.h>

#include "../common/abuse.h"

enum { kThreads = 6 };

static __thread sigjmp_buf t_back;
static __thread volatile int t_caught;
static char* g_pages;
static long g_page_size;
static int g_opened;
static struct sigaction g_old;
static volatile int g_endless = 1;
static volatile int* volatile g_wild = (int*)16;

static void probe_handler(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  (void)info;
  t_caught++;
  siglongjmp(t_back, 1);
}

static void barrier_handler(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  const uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)(g_page_size - 1);
  if (page < (uintptr_t)g_pages || page >= (uintptr_t)g_pages + 64 * (uintptr_t)g_page_size)
    _exit(3);
  mprotect((void*)page, (size_t)g_page_size, PROT_READ | PROT_WRITE);
#pragma omp atomic
  g_opened++;
}

static void install(void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  CHECK(sigaction(SIGSEGV, &action, &g_old) == 0);
}

static void probe_in_region(void) {
  for (int turn = 0; turn < 20; turn++) {
    int caught = 0, team = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : caught)
    {
#pragma omp single
      team = omp_get_num_threads();
      t_caught = 0;
      if (sigsetjmp(t_back, 1) == 0) g_wild[4 * omp_get_thread_num()] = 1;
      caught += t_caught;
#pragma omp barrier
      if (sigsetjmp(t_back, 1) == 0) (void)g_wild[4 * omp_get_thread_num()];
      caught += t_caught;
    }
    CHECK(caught == 3 * team);
  }
}

static void write_barrier_in_region(void) {
  g_page_size = sysconf(_SC_PAGESIZE);
  g_pages =
      (char*)mmap(NULL, 64 * (size_t)g_page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(g_pages != MAP_FAILED);
  for (int turn = 0; turn < 10; turn++) {
    CHECK(mprotect(g_pages, 64 * (size_t)g_page_size, PROT_NONE) == 0);
    g_opened = 0;
#pragma omp parallel for num_threads(kThreads) schedule(dynamic, 1)
    for (int i = 0; i < 64; i++) g_pages[i * g_page_size] = (char)i;
    CHECK(g_opened == 64);
    for (int i = 0; i < 64; i++) CHECK(g_pages[i * g_page_size] == (char)i);
  }
}

static void before(void) {
  install(probe_handler, 0);
  probe_in_region();
}

static void before_onstack(void) {
  install(probe_handler, SA_ONSTACK);
  probe_in_region();
}

static void before_nodefer(void) {
  install(probe_handler, SA_ONSTACK | SA_NODEFER);
  probe_in_region();
}

static void before_write_barrier(void) {
  install(barrier_handler, SA_ONSTACK);
  write_barrier_in_region();
  install(barrier_handler, 0);
  write_barrier_in_region();
}

static void later(void) {
  region(4);
  install(probe_handler, 0);
  probe_in_region();
  install(probe_handler, SA_ONSTACK);
  probe_in_region();
  install(barrier_handler, 0);
  write_barrier_in_region();
}

// The program's own sigaltstack, which the runtime must not replace.
static void own_altstack(void) {
  static char memory[65536];
  stack_t mine = {.ss_sp = memory, .ss_size = sizeof memory}, now;
  CHECK(sigaltstack(&mine, NULL) == 0);
  install(probe_handler, SA_ONSTACK);
  probe_in_region();
  CHECK(sigaltstack(NULL, &now) == 0 && now.ss_sp == memory && now.ss_size == sizeof memory);
}

// A handler that restores the previous one and lets the fault happen again (Python's faulthandler).
static void restoring_handler(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)info;
  (void)context;
  const char text[] = "mine\n";
  (void)!write(2, text, sizeof text - 1);
  sigaction(SIGSEGV, &g_old, NULL);
}

static __attribute__((noinline)) int recurse(int depth) {
  volatile char frame[900];
  frame[0] = (char)depth;
  return g_endless ? recurse(depth + 1) + frame[0] : 0;
}

static void child(const char* what) {
  if (strcmp(what, "restoring") == 0) {
    region(4);
    install(restoring_handler, SA_ONSTACK);
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == 3) *g_wild = 1;
#pragma omp barrier
    }
  }
  if (strcmp(what, "resethand") == 0) {
    install(probe_handler, SA_ONSTACK | (int)SA_RESETHAND);
#pragma omp parallel num_threads(4)
    {
#pragma omp single
      {
        if (sigsetjmp(t_back, 1) == 0) *g_wild = 1;
        *g_wild = 2;
      }
    }
  }
  if (strcmp(what, "ignored") == 0) {
    signal(SIGSEGV, SIG_IGN);
    region(4);
    kill(getpid(), SIGSEGV);
    region(4);
    _exit(7);
  }
  _exit(1);
}

static void expect(const char* what, int status, const char* err) {
  struct outcome out;
  char* argv[] = {(char*)"child", (char*)what, NULL};
  run_self(argv, NULL, NULL, &out);
  if (out.status != status || strcmp(out.err, err) != 0)
    dprintf(2, "%s: status %d, stderr '%s'\n", what, out.status, out.err);
  CHECK(out.status == status && strcmp(out.err, err) == 0);
}

static void dispositions(void) {
  expect("restoring", 128 + SIGSEGV, "mine\n");
  expect("resethand", 128 + SIGSEGV, "");
  expect("ignored", 7, "");
}

// Without a suspension in between, the thread stays on one kernel thread.
static __attribute__((noinline)) int overflow_once(void) {
  stack_t mine, old;
  memset(&mine, 0, sizeof mine);
  mine.ss_size = 65536;
  mine.ss_sp = malloc(mine.ss_size);
  CHECK(mine.ss_sp != NULL && sigaltstack(&mine, &old) == 0);
  t_caught = 0;
  if (sigsetjmp(t_back, 1) == 0) recurse(0);
  CHECK(sigaltstack(&old, NULL) == 0);
  free(mine.ss_sp);
  return t_caught;
}

// A program that survives overflows (as libsigsegv's users do) with an alternate stack in each
// thread.
static void survive_overflow(void) {
  int survived = 0, team = 0;
  region(4);
  install(probe_handler, SA_ONSTACK);
#pragma omp parallel num_threads(4) reduction(+ : survived)
  {
#pragma omp single
    team = omp_get_num_threads();
    if (omp_get_thread_num() != 0) survived += overflow_once();
#pragma omp barrier
  }
  CHECK(survived == team - 1);
  region(4);
}

// The threads meet at a barrier that blocks their kernel threads, so that each is on a kernel
// thread of its own, whatever thread made that and whatever signal mask it has.
static void every_kernel_thread(void) {
  enum { kTeam = 12 };
  static pthread_barrier_t all_here;
  int caught = 0, team = 0;
  omp_set_dynamic(0);
  region(kTeam);
  install(probe_handler, SA_ONSTACK);
  CHECK(pthread_barrier_init(&all_here, NULL, kTeam) == 0);
#pragma omp parallel num_threads(kTeam) reduction(+ : caught)
  {
#pragma omp single
    team = omp_get_num_threads();
    CHECK(team == kTeam);
    t_caught = 0;
    pthread_barrier_wait(&all_here);
    if (sigsetjmp(t_back, 1) == 0) *g_wild = 1;
    caught += t_caught;
    pthread_barrier_wait(&all_here);
  }
  CHECK(caught == kTeam);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"before", before},
      {"before-onstack", before_onstack},
      {"before-nodefer", before_nodefer},
      {"before-write-barrier", before_write_barrier},
      {"later", later},
      {"own-altstack", own_altstack},
      {"dispositions", dispositions},
      {"survive-overflow", survive_overflow},
      {"every-kernel-thread", every_kernel_thread},
      {NULL, NULL},
  };
  if (argc == 3 && strcmp(argv[1], "child") == 0) child(argv[2]);
  return run_case(cases, argc, argv);
}
