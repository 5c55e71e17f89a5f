// SPDX-License-Identifier: Apache-2.0
// pthread locks that know their owner, held across scheduling points. The owner is the OpenMP
// thread. A sibling that runs on the same kernel thread meanwhile must not count as the owner.
#include <sys/mman.h>

#include "../common/abuse.h"

enum { kThreads = 8, kTurns = 10 };

static pthread_mutex_t g_mutex;
static pthread_rwlock_t g_rwlock;

static void init_mutex(int type) {
  pthread_mutexattr_t attr;
  CHECK(pthread_mutexattr_init(&attr) == 0 && pthread_mutexattr_settype(&attr, type) == 0);
  CHECK(pthread_mutex_init(&g_mutex, &attr) == 0);
}

static void suspend(void) {
#pragma omp barrier
}

static void held_across_barriers(int type) {
  init_mutex(type);
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    for (int turn = 0; turn < kTurns; turn++) {
      const int owner = turn % team;
      if (me == owner) CHECK(pthread_mutex_lock(&g_mutex) == 0);
      suspend();
      if (me != owner) {
        CHECK(pthread_mutex_trylock(&g_mutex) == EBUSY);
        if (type != PTHREAD_MUTEX_NORMAL) CHECK(pthread_mutex_unlock(&g_mutex) == EPERM);
      }
      suspend();
      if (me == owner) {
        if (type == PTHREAD_MUTEX_RECURSIVE) {
          CHECK(pthread_mutex_lock(&g_mutex) == 0);
          CHECK(pthread_mutex_trylock(&g_mutex) == 0);
          CHECK(pthread_mutex_unlock(&g_mutex) == 0 && pthread_mutex_unlock(&g_mutex) == 0);
        } else if (type == PTHREAD_MUTEX_ERRORCHECK) {
          CHECK(pthread_mutex_lock(&g_mutex) == EDEADLK);
        }
      }
      suspend();
      if (me == owner) CHECK(pthread_mutex_unlock(&g_mutex) == 0);
      suspend();
    }
  }
}

static void recursive(void) { held_across_barriers(PTHREAD_MUTEX_RECURSIVE); }
static void errorcheck(void) { held_across_barriers(PTHREAD_MUTEX_ERRORCHECK); }
static void normal(void) { held_across_barriers(PTHREAD_MUTEX_NORMAL); }

// All threads want the lock, and each owner suspends itself while it holds it. The waiters block
// their processors.
static void contended(int type) {
  int inside = 0, count = 0, team = 0;
  init_mutex(type);
#pragma omp parallel num_threads(kThreads)
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int i = 0; i < 5; i++) {
      CHECK(pthread_mutex_lock(&g_mutex) == 0);
      CHECK(++inside == 1);
#pragma omp taskyield
      sched_yield();
      if (type == PTHREAD_MUTEX_RECURSIVE) {
        CHECK(pthread_mutex_lock(&g_mutex) == 0);
        sched_yield();
        CHECK(pthread_mutex_unlock(&g_mutex) == 0);
      }
      CHECK(inside == 1);
      count++;
      inside--;
      CHECK(pthread_mutex_unlock(&g_mutex) == 0);
    }
  }
  CHECK(count == 5 * team);
}

static void recursive_contended(void) { contended(PTHREAD_MUTEX_RECURSIVE); }
static void errorcheck_contended(void) { contended(PTHREAD_MUTEX_ERRORCHECK); }
static void normal_contended(void) { contended(PTHREAD_MUTEX_NORMAL); }

// Across regions: thread k of the team is the same thread in the next region.
static void across_regions(void) {
  omp_set_dynamic(0);
  init_mutex(PTHREAD_MUTEX_ERRORCHECK);
  for (int turn = 0; turn < kTurns; turn++) {
    const int owner = turn % kThreads;
    if (owner == 0) CHECK(pthread_mutex_lock(&g_mutex) == 0);
#pragma omp parallel num_threads(kThreads)
    if (omp_get_thread_num() == owner && owner != 0) CHECK(pthread_mutex_lock(&g_mutex) == 0);
    if (owner != 0) CHECK(pthread_mutex_trylock(&g_mutex) == EBUSY);
#pragma omp parallel num_threads(kThreads)
    {
      const int mine = omp_get_thread_num() == owner;
      CHECK(pthread_mutex_trylock(&g_mutex) == EBUSY);
      suspend();
      CHECK(pthread_mutex_unlock(&g_mutex) == (mine ? 0 : EPERM) || mine);
    }
    CHECK(pthread_mutex_trylock(&g_mutex) == 0 && pthread_mutex_unlock(&g_mutex) == 0);
  }
}

// A tied task that is suspended in a taskwait keeps the locks of its thread.
static void held_in_tasks(void) {
  int wrong = 0;
  init_mutex(PTHREAD_MUTEX_ERRORCHECK);
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(wrong)
      {
        // A task that this thread runs while it is suspended would be the owner, too. So it only
        // tries the lock.
        if (pthread_mutex_trylock(&g_mutex) == 0) {
          int done = 0;
#pragma omp task shared(done)
          done = 1;
#pragma omp taskwait
          const int status = pthread_mutex_unlock(&g_mutex);
          if (status != 0 || !done) {
#pragma omp atomic
            wrong++;
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
}

// The writer of a rwlock is also recorded as an owner.
static void rwlock(void) {
  CHECK(pthread_rwlock_init(&g_rwlock, NULL) == 0);
  int released = 0;
#pragma omp parallel num_threads(4)
  {
    const int me = omp_get_thread_num();
    for (int turn = 0; turn < kTurns; turn++) {
      if (me == 1) CHECK(pthread_rwlock_wrlock(&g_rwlock) == 0);
      suspend();
      if (me != 1 && omp_get_num_threads() > 1) CHECK(pthread_rwlock_tryrdlock(&g_rwlock) == EBUSY);
      suspend();
      if (me == 1) {
        sched_yield();
#pragma omp atomic write
        released = 1;
        CHECK(pthread_rwlock_unlock(&g_rwlock) == 0);
      } else if (omp_get_num_threads() > 1) {
        // Not EDEADLK: this thread is not the writer.
        CHECK(pthread_rwlock_rdlock(&g_rwlock) == 0);
        int seen;
#pragma omp atomic read
        seen = released;
        CHECK(seen == 1);
        CHECK(pthread_rwlock_unlock(&g_rwlock) == 0);
      }
      suspend();
      if (me == 0) released = 0;
      suspend();
    }
  }
}

static void count_under_lock(void) {
  int count = 0, team = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int i = 0; i < 2000; i++) {
      CHECK(pthread_mutex_lock(&g_mutex) == 0);
      for (volatile int spin = 0; spin < 50; spin++) {
      }
      count++;
      CHECK(pthread_mutex_unlock(&g_mutex) == 0);
    }
  }
  CHECK(count == 2000 * team);
}

static void make_with_protocol(int protocol) {
  pthread_mutexattr_t attr;
  CHECK(pthread_mutexattr_init(&attr) == 0);
  CHECK(pthread_mutexattr_setprotocol(&attr, protocol) == 0);
  CHECK(pthread_mutex_init(&g_mutex, &attr) == 0);
}

// Priority inheritance: the kernel itself reads the owner's id.
static void priority_inheritance(void) {
  make_with_protocol(PTHREAD_PRIO_INHERIT);
  count_under_lock();
}

// The C library asks the kernel for the priority of the thread with that id, and sets it.
static void priority_ceiling(void) {
  make_with_protocol(PTHREAD_PRIO_PROTECT);
  if (pthread_mutex_lock(&g_mutex) != 0) exit(kSkip);  // some users lack the permission
  CHECK(pthread_mutex_unlock(&g_mutex) == 0);
  count_under_lock();
}

// Robust mutexes keep a list in the thread, and the thread's id in the lock.
static void robust(void) {
  pthread_mutexattr_t attr;
  int count = 0, team = 0;
  CHECK(pthread_mutexattr_init(&attr) == 0);
  CHECK(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
  CHECK(pthread_mutex_init(&g_mutex, &attr) == 0);
#pragma omp parallel num_threads(6)
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int i = 0; i < 50; i++) {
      CHECK(pthread_mutex_lock(&g_mutex) == 0);
      sched_yield();
      count++;
      CHECK(pthread_mutex_unlock(&g_mutex) == 0);
    }
  }
  CHECK(count == 50 * team);
}

static void* leave_robust(void* memory) {
  pthread_mutexattr_t attr;
  CHECK(pthread_mutexattr_init(&attr) == 0);
  CHECK(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
#pragma omp parallel num_threads(4)
  {
    pthread_mutex_t* mutex = (pthread_mutex_t*)memory + omp_get_thread_num();
    CHECK(pthread_mutex_init(mutex, &attr) == 0);
    CHECK(pthread_mutex_lock(mutex) == 0);
  }
  return NULL;
}

// Threads end while they hold such locks, and the memory is freed. Threads that begin later hold
// none.
static void robust_left(void) {
  const size_t size = 4096;
  void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  pthread_t root;
  CHECK(pthread_create(&root, NULL, leave_robust, memory) == 0 && pthread_join(root, NULL) == 0);
  CHECK(munmap(memory, size) == 0);
  robust();
}

// The process of a mutex's owner is killed. The next owner is told.
static void outlive_owner(int number, int in_task) {
  struct {
    pthread_mutex_t mutex;
    volatile int locked;
  }* shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  pthread_mutexattr_t attr;
  CHECK(pthread_mutexattr_init(&attr) == 0);
  CHECK(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
  CHECK(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
  CHECK(pthread_mutex_init(&shared->mutex, &attr) == 0);
  const pid_t child = fork();
  if (child == 0) {
#pragma omp parallel num_threads(4)
    {
      for (int i = 0; i < 3; i++) {
        CHECK(pthread_mutex_lock(&shared->mutex) == 0);
        CHECK(pthread_mutex_unlock(&shared->mutex) == 0);
#pragma omp barrier
      }
#pragma omp task if (in_task)
      if ((in_task || omp_get_thread_num() == number) && !shared->locked &&
          pthread_mutex_trylock(&shared->mutex) == 0) {
        shared->locked = 1;
        pause();
      }
    }
    _exit(0);
  }
  while (!shared->locked) usleep(1000);
  CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
  CHECK(pthread_mutex_lock(&shared->mutex) == EOWNERDEAD);
  CHECK(pthread_mutex_consistent(&shared->mutex) == 0);
  CHECK(pthread_mutex_unlock(&shared->mutex) == 0);
  CHECK(munmap(shared, 4096) == 0);
}

static void robust_dead(void) {
  for (int number = 0; number < 4; number++) outlive_owner(number, 0);
}

static void robust_dead_in_tasks(void) {
  for (int round = 0; round < 4; round++) outlive_owner(0, 1);
}

// stdio's lock is recursive and compares threads. flockfile is held across a barrier.
static void stdio_lock(void) {
  FILE* f = fopen("/dev/null", "w");
  CHECK(f != NULL);
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    for (int turn = 0; turn < kTurns; turn++) {
      const int owner = turn % team;
      if (me == owner) flockfile(f);
      suspend();
      if (me != owner) CHECK(ftrylockfile(f) != 0);
      suspend();
      if (me == owner) {
        CHECK(ftrylockfile(f) == 0);
        fprintf(f, "%d\n", turn);
        funlockfile(f);
        funlockfile(f);
      }
      suspend();
    }
  }
  fclose(f);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"recursive", recursive},
      {"errorcheck", errorcheck},
      {"normal", normal},
      {"recursive-contended", recursive_contended},
      {"errorcheck-contended", errorcheck_contended},
      {"normal-contended", normal_contended},
      {"across-regions", across_regions},
      {"held-in-tasks", held_in_tasks},
      {"rwlock", rwlock},
      {"priority-inheritance", priority_inheritance},
      {"priority-ceiling", priority_ceiling},
      {"robust", robust},
      {"robust-left", robust_left},
      {"robust-dead", robust_dead},
      {"robust-dead-in-tasks", robust_dead_in_tasks},
      {"stdio-lock", stdio_lock},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
