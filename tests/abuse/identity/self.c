// SPDX-License-Identifier: Apache-2.0
// The state that libc keeps for each thread belongs to the OpenMP thread, also after it was
// suspended and resumed on another kernel thread. pthread_self() works with the calls that take
// one.
#include <arpa/inet.h>
#include <ctype.h>
#include <dlfcn.h>
#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <malloc.h>
#include <netdb.h>
#include <resolv.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <threads.h>
#include <ucontext.h>

#include "../common/abuse.h"

enum { kThreads = 9, kTurns = 20 };

static void suspend(void) {
#pragma omp barrier
}

static void distinct(void) {
  pthread_t ids[33], again[33];
  int team = 0;
  for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel num_threads(33)
    {
#pragma omp single
      team = omp_get_num_threads();
      const int me = omp_get_thread_num();
      ids[me] = pthread_self();
      suspend();
      again[me] = pthread_self();
      CHECK(pthread_equal(ids[me], again[me]));
    }
    CHECK(pthread_equal(ids[0], pthread_self()));
    for (int i = 0; i < team; i++)
      for (int j = 0; j < i; j++) CHECK(!pthread_equal(ids[i], ids[j]));
  }
}

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
// A word of the thread's descriptor by which the C library and its loader know that there may be
// other threads.
static void not_alone(void) {
#if defined(__x86_64__)
  enum { kMultipleThreads = 24 };
#else
  enum { kMultipleThreads = 0 };
#endif
#pragma omp parallel num_threads(kThreads)
  if (omp_get_num_threads() > 1)
    CHECK(*(const int*)((const char*)pthread_self() + kMultipleThreads) != 0);
}
#else
static void not_alone(void) { exit(kSkip); }
#endif

static void errno_kept(void) {
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    int* const where = &errno;
    for (int turn = 0; turn < kTurns; turn++) {
      errno = 1000 + me;
      suspend();
      CHECK(errno == 1000 + me && where == &errno);
#pragma omp critical
      CHECK(errno == 1000 + me);
      int done = 0;
#pragma omp task shared(done)
      done = 1;
#pragma omp taskwait
      CHECK(errno == 1000 + me && done);
      // An error from a real system call.
      CHECK(close(-1) == -1);
      suspend();
      CHECK(errno == EBADF);
    }
  }
}

static void affinity(void) {
  cpu_set_t allowed, before;
  CHECK(pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) == 0);
  before = allowed;
#pragma omp parallel num_threads(4)
  {
    cpu_set_t mine, now;
    CHECK(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine) == 0);
    CHECK(CPU_COUNT(&mine) >= 1);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &allowed)) cpu++;
    CPU_ZERO(&now);
    CPU_SET(cpu, &now);
    CHECK(pthread_setaffinity_np(pthread_self(), sizeof now, &now) == 0);
    CHECK(pthread_getaffinity_np(pthread_self(), sizeof now, &now) == 0);
    CHECK(CPU_ISSET(cpu, &now) && CPU_COUNT(&now) == 1);
    CHECK(pthread_setaffinity_np(pthread_self(), sizeof mine, &mine) == 0);
    suspend();
    CHECK(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine) == 0);
  }
  CHECK(pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) == 0);
  CHECK(CPU_EQUAL(&allowed, &before));
}

// Each thread except the initial one binds itself, in one of the possible ways. The initial one's
// affinity stays unchanged, whatever thread its kernel thread has carried.
static void affinity_of_others(void) {
  cpu_set_t before, now;
  CPU_ZERO(&before);  // the kernel writes only as many bits as it has processors
  CHECK(syscall(SYS_sched_getaffinity, getpid(), sizeof before, &before) > 0);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &before)) cpu++;
  for (int turn = 0; turn < 20; turn++) {
#pragma omp parallel num_threads(6)
    {
      const int binds = omp_get_thread_num() != 0;
      cpu_set_t mine;
      CPU_ZERO(&mine);
      if (binds) {
        errno = 0;
        CHECK(sched_setaffinity(0, sizeof mine, &mine) == -1 && errno == EINVAL);
        CPU_SET(cpu, &mine);
        if (turn % 2 == 0) {
          CHECK(sched_setaffinity(0, sizeof mine, &mine) == 0);
        } else {
          CHECK(pthread_setaffinity_np(pthread_self(), sizeof mine, &mine) == 0);
        }
      }
      suspend();
      CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
      CHECK(!binds || (CPU_ISSET(cpu, &mine) && CPU_COUNT(&mine) == 1));
    }
    CPU_ZERO(&now);
    CHECK(syscall(SYS_sched_getaffinity, getpid(), sizeof now, &now) > 0);
    CHECK(CPU_EQUAL(&now, &before));
  }
}

// The calling thread's affinity in the kernel, without interposed functions.
static cpu_set_t kernel_mask(void) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CHECK(syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask) > 0);
  return mask;
}

// Binds a child that shares the caller's memory until it ends, as launchers of programs do. Returns
// 0 if the child was bound and was told so.
static int bind_child(int cpu) {
  cpu_set_t wanted, now;
  CPU_ZERO(&wanted);
  CPU_SET(cpu, &wanted);
  pid_t pid = vfork();
  if (pid == 0) {
    if (sched_setaffinity(0, sizeof wanted, &wanted) != 0) _exit(1);
    now = kernel_mask();
    if (!CPU_EQUAL(&now, &wanted)) _exit(2);
    _exit(sched_getaffinity(0, sizeof now, &now) != 0 || !CPU_EQUAL(&now, &wanted) ? 3 : 0);
  }
  return pid < 0 ? -1 : reap(pid);
}

// The caller is not bound with it.
static void affinity_of_children(void) {
  const cpu_set_t before = kernel_mask();
  if (CPU_COUNT(&before) < 2) exit(kSkip);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &before)) cpu++;
  CHECK(region(2) >= 1);
  CHECK(bind_child(cpu) == 0);
  cpu_set_t now = kernel_mask();
  CHECK(CPU_EQUAL(&now, &before));
#pragma omp parallel num_threads(4) private(now)
  {
    CHECK(bind_child(cpu) == 0);
    now = kernel_mask();
    CHECK(CPU_EQUAL(&now, &before));
  }
}

static __thread volatile sig_atomic_t t_signals;

static void on_usr1(int signal) {
  (void)signal;
  t_signals++;
}

static __thread volatile sig_atomic_t t_value;

static void on_usr2(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  if (info->si_code == SI_QUEUE && info->si_pid == getpid()) t_value = info->si_value.sival_int;
}

static void kill_self(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_usr1;
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  action.sa_sigaction = on_usr2;
  action.sa_flags = SA_SIGINFO;
  CHECK(sigaction(SIGUSR2, &action, NULL) == 0);
#pragma omp parallel num_threads(kThreads)
  {
    t_signals = 0;
    for (int turn = 1; turn <= kTurns; turn++) {
      CHECK(pthread_kill(pthread_self(), SIGUSR1) == 0);
      CHECK(t_signals == 2 * turn - 1);
      CHECK(raise(SIGUSR1) == 0);
      CHECK(t_signals == 2 * turn);
      suspend();
      CHECK(t_signals == 2 * turn);
    }
    for (int turn = 1; turn <= kTurns; turn++) {
      const union sigval value = {.sival_int = 100 * omp_get_thread_num() + turn};
      CHECK(pthread_sigqueue(pthread_self(), SIGUSR2, value) == 0);
      CHECK(t_value == value.sival_int);
      suspend();
    }
  }
}

// In glibc 2.42 and later; Bobbin always has it.
static void kernel_thread(void) {
  pid_t (*gettid_of)(pthread_t) = dlsym(RTLD_DEFAULT, "pthread_gettid_np");
  if (gettid_of == NULL) exit(kSkip);
  pthread_t ids[kThreads];
  const pid_t initial = getpid();
  const pthread_t root = pthread_self();
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    ids[me] = pthread_self();
    for (int turn = 0; turn < kTurns; turn++) {
      CHECK(gettid_of(pthread_self()) == (pid_t)syscall(SYS_gettid));
      suspend();
      // The others are kernel threads of the process, or unknown to the kernel.
      const pid_t other = gettid_of(ids[(me + 1) % team]);
      CHECK(other == -1 || syscall(SYS_tgkill, getpid(), other, 0) == 0);
    }
    const pid_t first = gettid_of(root);
    CHECK(first == initial || first == -1);  // -1: the C library has no such routine
  }
}

// Calls that look into the descriptor behind pthread_self() or hand its id to the kernel.
static void name_and_cancel_state(void) {
#pragma omp parallel num_threads(kThreads)
  {
    char name[64];
    int old;
    CHECK(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    CHECK(pthread_kill(pthread_self(), 0) == 0);
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 &&
          old == PTHREAD_CANCEL_ENABLE);
    suspend();
    CHECK(pthread_setcancelstate(old, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  }
}

static void sched_param(void) {
#pragma omp parallel num_threads(kThreads)
  {
    struct sched_param param;
    int policy;
    CHECK(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
    CHECK(pthread_setschedparam(pthread_self(), policy, &param) == 0);
    CHECK(pthread_setschedprio(pthread_self(), param.sched_priority) == 0);
  }
}

static void cpu_clock(void) {
#pragma omp parallel num_threads(kThreads)
  {
    clockid_t clock;
    struct timespec time;
    CHECK(pthread_getcpuclockid(pthread_self(), &clock) == 0);
    CHECK(clock_gettime(clock, &time) == 0);
    CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
  }
}

// Garbage collectors and interpreters ask where their stack is.
static void stack_bounds(void) {
#pragma omp parallel num_threads(kThreads)
  {
    pthread_attr_t attr;
    void* low = NULL;
    size_t size = 0;
    volatile char here = 0;
    CHECK(pthread_getattr_np(pthread_self(), &attr) == 0);
    CHECK(pthread_attr_getstack(&attr, &low, &size) == 0);
    CHECK((char*)low <= &here && &here < (char*)low + size);
    pthread_attr_destroy(&attr);
    suspend();
  }
}

static void specific(void) {
  enum { kKeys = 60 };  // more keys than libc keeps in the descriptor itself
  pthread_key_t keys[kKeys];
  for (int i = 0; i < kKeys; i++) CHECK(pthread_key_create(&keys[i], NULL) == 0);
#pragma omp parallel num_threads(kThreads)
  {
    const intptr_t me = omp_get_thread_num() + 1;
    for (int i = 0; i < kKeys; i++) CHECK(pthread_getspecific(keys[i]) == NULL);
    for (int i = 0; i < kKeys; i++) CHECK(pthread_setspecific(keys[i], (void*)(me * 100 + i)) == 0);
    suspend();
    for (int i = 0; i < kKeys; i++) CHECK(pthread_getspecific(keys[i]) == (void*)(me * 100 + i));
    suspend();
    for (int i = 0; i < kKeys; i++) CHECK(pthread_setspecific(keys[i], NULL) == 0);
  }
}

// A thread's values are destroyed when it ends, which happens at the latest some time after the end
// of its root.
static pthread_key_t g_destroyed_key;
static atomic_int g_destroyed;

static void destroy_value(void* value) {
  if ((intptr_t)value == 1) pthread_setspecific(g_destroyed_key, (void*)2);  // one more round
  atomic_fetch_add(&g_destroyed, 1);
}

static void* root_with_values(void* unused) {
  (void)unused;
#pragma omp parallel num_threads(kThreads)
  CHECK(pthread_setspecific(g_destroyed_key, (void*)1) == 0);
  return NULL;
}

static void values_destroyed(void) {
  pthread_t root;
  CHECK(pthread_create(&root, NULL, root_with_values, NULL) == 0 && pthread_join(root, NULL) == 0);
  while (atomic_load(&g_destroyed) < 2 * kThreads) sched_yield();
#pragma omp parallel num_threads(kThreads)
  CHECK(pthread_getspecific(g_destroyed_key) == NULL);
  CHECK(atomic_load(&g_destroyed) == 2 * kThreads);
}

static void specific_destroyed(void) {
  CHECK(pthread_key_create(&g_destroyed_key, destroy_value) == 0);
  values_destroyed();
}

static void specific_destroyed_c11(void) {
  CHECK(tss_create(&g_destroyed_key, destroy_value) == thrd_success);
  values_destroyed();
  tss_delete(g_destroyed_key);
}

static void text_state(void) {
  locale_t posix = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  CHECK(posix != (locale_t)0);
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    char text[64], expected[16];
    // libc sets up thread-local pointers to the ctype tables for each thread.
    CHECK(isalpha('a') && !isalpha('1') && toupper('b') == 'B' && isspace(' '));
    const locale_t before = uselocale((locale_t)0);
    CHECK(before != (locale_t)0);
    if (me % 2) CHECK(uselocale(posix) == before);
    const struct in_addr address = {htonl(0x0a000000U + (unsigned)me)};
    const char* dotted = inet_ntoa(address);
    snprintf(text, sizeof text, "10.0.0.%d", me);
    suspend();
    CHECK(strcmp(dotted, text) == 0);
    CHECK(uselocale((locale_t)0) == (me % 2 ? posix : before));
    const char* unknown = strerror(4000 + me);
    suspend();
    snprintf(expected, sizeof expected, "%d", 4000 + me);
    CHECK(strstr(unknown, expected) != NULL);
    h_errno = me;
    suspend();
    CHECK(h_errno == me);
    uselocale(before);
    CHECK(isdigit('7') && isalpha('z'));
  }
  freelocale(posix);
}

static void* scribble(void* arg) {
  CHECK(malloc_usable_size(arg) >= 64);
  memset(arg, 1, 64);
  return arg;
}

// One thread allocates memory and another one frees it; allocator caches are thread-local.
// Threads that look up names at once would otherwise share one resolver's buffers and sockets.
static void resolver(void) {
  res_state own[kThreads] = {NULL};
  int team = 0;
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    own[me] = &_res;
#pragma omp single
    team = omp_get_num_threads();
    _res.retry = 10 + me;
    struct addrinfo* found = NULL;
    if (getaddrinfo("127.0.0.1", "80", NULL, &found) == 0) freeaddrinfo(found);
    suspend();
    CHECK(own[me] == &_res);
  }
  for (int i = 0; i < team; i++)
    for (int j = 0; j < i; j++) CHECK(own[i] != own[j]);
}

static locale_t g_locale;

static void* root_with_locale(void* unused) {
  (void)unused;
#pragma omp parallel num_threads(kThreads)
  {
    CHECK(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    CHECK(uselocale(g_locale) == LC_GLOBAL_LOCALE);
    suspend();
  }
  return NULL;
}

// The threads of a new root have none of the settings that the threads of an ended root had.
static void fresh_state(void) {
  g_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  CHECK(g_locale != (locale_t)0);
  for (int turn = 0; turn < 3; turn++) {
    pthread_t root;
    CHECK(pthread_create(&root, NULL, root_with_locale, NULL) == 0);
    CHECK(pthread_join(root, NULL) == 0);
  }
  freelocale(g_locale);
}

static void allocator(void) {
  enum { kBlocks = 300 };
  void* blocks[kThreads][kBlocks];
  memset(blocks, 0, sizeof blocks);
  for (int turn = 0; turn < 10; turn++) {
#pragma omp parallel num_threads(kThreads)
    {
      const int me = omp_get_thread_num(), team = omp_get_num_threads();
      for (int i = 0; i < kBlocks; i++) {
        blocks[me][i] = scribble(malloc(64 + (size_t)(me * 8 + i % 100)));
        if (i % 100 == 0) suspend();
      }
      suspend();
      const int other = (me + turn) % team;
      for (int i = 0; i < kBlocks; i++) free(blocks[other][i]);
    }
  }
}

static volatile double g_one = 1.0, g_three = 3.0;

// Returns -1, 0 or 1: rounds down, to nearest or zero, or up. It finds out by arithmetic, not by
// asking for the mode.
static __attribute__((noinline)) int rounding_direction(void) {
  volatile double plain = g_one / g_three, mirrored = -g_one / g_three;
  return (plain > -mirrored) - (plain < -mirrored);
}

// The rounding mode belongs to the thread, like its registers.
static void floating_point(void) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const int directions[] = {0, 1, -1, 0};
#pragma omp parallel num_threads(kThreads)
  {
    const int mine = omp_get_thread_num() % 4;
    CHECK(fegetround() == FE_TONEAREST);
    CHECK(fesetround(modes[mine]) == 0);
    for (int i = 0; i < 5; i++) {
      suspend();
      CHECK(fegetround() == modes[mine] && rounding_direction() == directions[mine]);
    }
    fesetround(FE_TONEAREST);
  }
}

static volatile long double g_zero_extended, g_infinite_extended;
static volatile double g_zero, g_infinite;

static __attribute__((noinline)) void divide_by_zero(int extended) {
  if (extended)
    g_infinite_extended = 1 / g_zero_extended;
  else
    g_infinite = 1 / g_zero;
}

// The same holds for the unmasked and the raised exceptions: a thread that divides by zero masks
// that exception, and the thread that traps it has not divided.
static void floating_point_exceptions(void) {
#pragma omp parallel num_threads(kThreads)
  {
    for (int turn = 0; turn < kTurns; turn++) {
      const int part = (omp_get_thread_num() + turn) % 3;
      CHECK(feclearexcept(FE_ALL_EXCEPT) == 0);
      const int traps = part == 1 && feenableexcept(FE_DIVBYZERO) != -1;  // not on all of AArch64
      suspend();
      if (part == 0) divide_by_zero(0);
      suspend();
      CHECK((fetestexcept(FE_DIVBYZERO) != 0) == (part == 0));
      suspend();
      if (part == 0) divide_by_zero(1);
      suspend();
      if (traps) CHECK(fedisableexcept(FE_DIVBYZERO) == FE_DIVBYZERO);
    }
  }
}

// Exceptions that threads of earlier regions have raised and masked do not trap in later threads
// that unmask them.
static void floating_point_exceptions_left(void) {
  for (int turn = 0; turn < 50; turn++) {
#pragma omp parallel num_threads(kThreads)
    {
      if (omp_get_thread_num() != 0) divide_by_zero(1);
      suspend();
    }
    CHECK(feclearexcept(FE_ALL_EXCEPT) == 0);
    if (feenableexcept(FE_DIVBYZERO) == -1) return;  // some AArch64 processors cannot trap
#pragma omp parallel num_threads(kThreads)
    {
      const volatile long double half = (g_zero_extended + 1) / 2;
      CHECK(half == 0.5L);
      suspend();
    }
    CHECK(fedisableexcept(FE_DIVBYZERO) == FE_DIVBYZERO);
  }
}

// When a stack is used up, recursion of undeferred tasks continues on other stacks, as the same
// thread.
static void descend(int levels, void (*at_each)(int levels)) {
  volatile char room[16 * 1024];
  room[0] = room[sizeof room - 1] = 1;
  at_each(levels);
#pragma omp task if (0)
  if (levels > 1) descend(levels - 1, at_each);
  at_each(-levels);
}

enum { kDeep = 1600 };  // 25 MB

static volatile double g_largest = DBL_MAX;

static void check_float_state(int levels) {
  if (levels == kDeep) {
    CHECK(feclearexcept(FE_ALL_EXCEPT) == 0);
    g_infinite = g_largest * g_three;  // not feraiseexcept(), which may raise the x87's flag
  } else if (levels == 1) {
    CHECK(fegetround() == FE_TONEAREST && fesetround(FE_UPWARD) == 0);
    divide_by_zero(0);
  }
  const int after = levels == 1 || levels < 0;
  CHECK((fetestexcept(FE_OVERFLOW | FE_DIVBYZERO)) ==
        (after ? FE_OVERFLOW | FE_DIVBYZERO : FE_OVERFLOW));
  CHECK(fegetround() == (after ? FE_UPWARD : FE_TONEAREST));
}

static void floating_point_deep(void) {
#pragma omp parallel num_threads(3)
  {
    descend(kDeep, check_float_state);
    fesetround(FE_TONEAREST);
  }
}

// A thread that has asked for its stack's bounds stays on that stack. Undeferred tasks continue on
// other stacks only for threads that have not asked.
static _Thread_local void* own_stack;

static void check_on_own_stack(int levels) {
  pthread_attr_t attr;
  void* low = NULL;
  size_t size = 0;
  volatile char here = 0;
  if (levels % 100 != 0) return;
  CHECK(pthread_getattr_np(pthread_self(), &attr) == 0);
  CHECK(pthread_attr_getstack(&attr, &low, &size) == 0);
  CHECK((char*)low <= &here && &here < (char*)low + size);
  if (own_stack == NULL) own_stack = low;
  CHECK(low == own_stack);
  pthread_attr_destroy(&attr);
}

static void stack_bounds_deep(void) {
#pragma omp parallel num_threads(3)
  descend(300, check_on_own_stack);  // 5 of 8 MB
}

static __attribute__((noinline)) void jump_once(int value) {
  jmp_buf back;
  const int came = setjmp(back);
  if (came == 0) {
    suspend();
    longjmp(back, value);
  }
  CHECK(came == value);
}

static void jumps(void) {
#pragma omp parallel num_threads(kThreads)
  {
    for (int turn = 1; turn <= 5; turn++) {
      jump_once(omp_get_thread_num() + turn);
      suspend();
    }
  }
}

struct coroutine {
  ucontext_t caller, own;
  int me, step;
};

static void coroutine_body(unsigned high, unsigned low) {
  struct coroutine* c = (struct coroutine*)(((uintptr_t)high << 32) | low);
  for (;;) {
    // A barrier on a stack that the runtime has never seen.
    suspend();
    CHECK(omp_get_thread_num() == c->me);
    c->step++;
    swapcontext(&c->own, &c->caller);
  }
}

// The program's own coroutines within OpenMP threads.
static void coroutines(void) {
#pragma omp parallel num_threads(kThreads)
  {
    struct coroutine c;
    memset(&c, 0, sizeof c);
    const size_t size = 64 * 1024;
    c.me = omp_get_thread_num();
    CHECK(getcontext(&c.own) == 0);
    c.own.uc_stack.ss_sp = malloc(size);
    c.own.uc_stack.ss_size = size;
    CHECK(c.own.uc_stack.ss_sp != NULL);
    makecontext(&c.own, (void (*)(void))coroutine_body, 2, (unsigned)((uintptr_t)&c >> 32),
                (unsigned)(uintptr_t)&c);
    for (int i = 1; i <= 5; i++) {
      CHECK(swapcontext(&c.caller, &c.own) == 0);
      CHECK(c.step == i);
      suspend();
    }
    free(c.own.uc_stack.ss_sp);
  }
}

static void* change_ids(void* arg) {
  for (int i = 0; i < 20; i++) CHECK(setegid(getegid()) == 0 && seteuid(geteuid()) == 0);
#pragma omp atomic write
  *(int*)arg = 1;
  return NULL;
}

// The C library makes all kernel threads take part in the call, and waits for each. The threads of
// a team call it, and so does a foreign thread while they compute.
static void credentials(void) {
  int changed = 0;
#pragma omp parallel num_threads(6)
  {
#pragma omp barrier
    for (int i = 0; i < 20; i++) CHECK(seteuid(geteuid()) == 0);
#pragma omp barrier
    CHECK(setegid(getegid()) == 0);
  }
  pthread_t stranger;
  CHECK(pthread_create(&stranger, NULL, change_ids, &changed) == 0);
#pragma omp parallel num_threads(6)
  for (int seen = 0; !seen;) {
#pragma omp atomic read
    seen = changed;
  }
  CHECK(pthread_join(stranger, NULL) == 0);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"distinct", distinct},
      {"not-alone", not_alone},
      {"errno", errno_kept},
      {"affinity", affinity},
      {"affinity-of-others", affinity_of_others},
      {"affinity-of-children", affinity_of_children},
      {"kill-self", kill_self},
      {"kernel-thread", kernel_thread},
      {"name-and-cancel-state", name_and_cancel_state},
      {"sched-param", sched_param},
      {"cpu-clock", cpu_clock},
      {"stack-bounds", stack_bounds},
      {"specific", specific},
      {"specific-destroyed", specific_destroyed},
      {"specific-destroyed-c11", specific_destroyed_c11},
      {"text-state", text_state},
      {"resolver", resolver},
      {"fresh-state", fresh_state},
      {"allocator", allocator},
      {"floating-point", floating_point},
      {"floating-point-exceptions", floating_point_exceptions},
      {"floating-point-exceptions-left", floating_point_exceptions_left},
      {"floating-point-deep", floating_point_deep},
      {"stack-bounds-deep", stack_bounds_deep},
      {"jumps", jumps},
      {"coroutines", coroutines},
      {"credentials", credentials},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
