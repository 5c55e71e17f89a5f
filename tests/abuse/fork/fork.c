// SPDX-License-Identifier: Apache-2.0
// fork() at every point of a program's life. The child has one kernel thread and must get a working
// runtime. The parent must not be affected.
#include <semaphore.h>
#include <spawn.h>

#include "../common/abuse.h"

extern char** environ;

// The OpenMP work of a child, including a grandchild.
static void child_work(int generation) {
  all_regions();
  if (generation > 0) {
    pid_t pid = fork_child();
    if (pid == 0) {
      child_work(generation - 1);
      exit(5);
    }
    CHECK(reap(pid) == 5);
    all_regions();
  }
}

static void fork_and_check(void) {
  pid_t pid = fork_child();
  if (pid == 0) {
    child_work(1);
    exit(5);
  }
  CHECK(reap(pid) == 5);
}

static void before(void) {
  fork_and_check();
  all_regions();
  fork_and_check();
}

static void after(void) {
  all_regions();
  for (int i = 0; i < 5; i++) {
    fork_and_check();
    all_regions();
  }
}

// The child ends by returning from main, so destructors and atexit handlers run as well.
static void after_child_returns(void) {
  region(8);
  pid_t pid = fork_child();
  if (pid == 0) {
    region(8);
    return;
  }
  CHECK(reap(pid) == 0);
  region(8);
}

// The child has the parent's settings at the time of the fork.
static void icvs(void) {
  omp_set_num_threads(3);
  omp_set_schedule(omp_sched_guided, 9);
  region(3);
  pid_t pid = fork_child();
  if (pid == 0) {
    omp_sched_t kind;
    int chunk, team = 0;
    omp_get_schedule(&kind, &chunk);
    CHECK(kind == omp_sched_guided && chunk == 9 && omp_get_max_threads() == 3);
#pragma omp parallel
#pragma omp single
    team = omp_get_num_threads();
    CHECK(team == 3 && !omp_in_parallel());
    _exit(5);
  }
  CHECK(reap(pid) == 5);
}

static int stop;

static void* region_loop(void* arg) {
  int turns = 0, stopped = 0;
  sem_t* started = (sem_t*)arg;
  while (!stopped) {
    all_regions();
    if (++turns == 2) sem_post(started);
#pragma omp atomic read
    stopped = stop;
  }
  return NULL;
}

// At the time of the fork other pthreads are anywhere inside the runtime.
static void during_other(void) {
  enum { kRoots = 3, kForks = 30 };
  pthread_t roots[kRoots];
  sem_t started;
  sem_init(&started, 0, 0);
  for (int i = 0; i < kRoots; i++)
    CHECK(pthread_create(&roots[i], NULL, region_loop, &started) == 0);
  for (int i = 0; i < kRoots; i++) sem_wait(&started);
  for (int i = 0; i < kForks; i++) {
    pid_t pid = fork_child();
    if (pid == 0) {
      all_regions();
      _exit(5);
    }
    CHECK(reap(pid) == 5);
  }
#pragma omp atomic write
  stop = 1;
  for (int i = 0; i < kRoots; i++) pthread_join(roots[i], NULL);
  all_regions();
}

static sem_t combining, go_on;

static void combine(int* total, int part) {
  if (part == 1) {
    sem_post(&combining);
    sem_wait(&go_on);
  }
  *total += part;
}
#pragma omp declare reduction(slowly:int : combine(&omp_out, omp_in)) initializer(omp_priv = 0)

static void reduce(int first, int threads) {
  int sum = 0, team = 0, expected = 0;
#pragma omp parallel num_threads(threads) reduction(slowly : sum)
  {
#pragma omp single
    team = omp_get_num_threads();
    sum = first + omp_get_thread_num();
  }
  for (int i = 0; i < team; i++) expected += first + i;
  CHECK(sum == expected);
}

static void* reduce_slowly(void* unused) {
  reduce(1, 2);
  return unused;
}

// Another pthread is in the middle of a reduction, and holds the reduction's lock.
static void while_reducing(void) {
  pthread_t other;
  sem_init(&combining, 0, 0);
  sem_init(&go_on, 0, 0);
  CHECK(pthread_create(&other, NULL, reduce_slowly, NULL) == 0);
  sem_wait(&combining);
  pid_t pid = fork_child();
  if (pid == 0) {
    all_regions();
    reduce(2, 4);
    _exit(5);
  }
  CHECK(reap(pid) == 5);
  sem_post(&go_on);
  pthread_join(other, NULL);
  reduce(2, 4);
  all_regions();
}

/* Regions that last long enough for the child to make its own kernel threads, and that block, so
 * that it makes more. The thread that forked continues on the same kernel thread among them. */
static void works_with_new_threads(void) {
  for (int round = 0; round < 5; round++) {
    int working = 0, blocking = 0;
#pragma omp parallel num_threads(4) reduction(+ : working)
    {
      double end = omp_get_wtime() + 0.002;
      while (omp_get_wtime() < end) {
      }
      working++;
    }
#pragma omp parallel num_threads(4) reduction(+ : blocking)
    {
      usleep(1500);
      blocking++;
    }
    CHECK(working == 4 && blocking == 4);
  }
}

static void* set_id(void* unused) {
  CHECK(setuid(getuid()) == 0);
  return unused;
}

enum how { kExits, kOpensRegions, kWorks, kExecs, kVforks, kSpawns, kSystem, kSetsIds };

static int start_child(enum how how) {
  char* const argv[] = {(char*)"/bin/true", NULL};
  pid_t pid = -1;
  switch (how) {
    case kExits:
      pid = fork_child();
      if (pid == 0) _exit(0);
      break;
    case kOpensRegions:
      pid = fork_child();
      if (pid == 0) {
        const int me = omp_get_thread_num(), level = omp_get_level();
        nested_region(3, 2);
        task_region(3);
        CHECK(omp_get_thread_num() == me && omp_get_level() == level);
        _exit(0);
      }
      break;
    case kWorks:
      pid = fork_child();
      if (pid == 0) {
        works_with_new_threads();
        _exit(0);
      }
      break;
    case kExecs:
      pid = fork_child();
      if (pid == 0) {
        execv(argv[0], argv);
        _exit(1);
      }
      break;
    case kVforks:
      pid = vfork();
      if (pid == 0) {
        execv(argv[0], argv);
        _exit(1);
      }
      break;
    case kSpawns:
      CHECK(posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) == 0);
      break;
    case kSystem:
      return system("exit 0");
    case kSetsIds:  // another thread sets the ids, also for this thread
      pid = fork_child();
      if (pid == 0) {
        pthread_t other;
        CHECK(pthread_create(&other, NULL, set_id, NULL) == 0);
        CHECK(pthread_join(other, NULL) == 0);
        _exit(0);
      }
      break;
  }
  return reap(pid);
}

static void from_threads(enum how how) {
  omp_set_max_active_levels(4);
  for (int turn = 0; turn < 3; turn++) {
    int good = 0;
#pragma omp parallel num_threads(4) reduction(+ : good)
    {
      good += start_child(how) == 0;
#pragma omp barrier
      // One thread at a time forks while its siblings wait in a barrier.
#pragma omp single
      good += start_child(how) == 0;
    }
    CHECK(good == 5);
    region(4);
  }
}

static void in_region_exits(void) { from_threads(kExits); }
static void in_region_opens(void) { from_threads(kOpensRegions); }
static void in_region_works(void) { from_threads(kWorks); }
static void in_region_execs(void) { from_threads(kExecs); }
static void in_region_vforks(void) { from_threads(kVforks); }
static void in_region_spawns(void) { from_threads(kSpawns); }
static void in_region_system(void) { from_threads(kSystem); }
static void in_region_sets_ids(void) { from_threads(kSetsIds); }

static void spend(double seconds) {
  const double end = now_s() + seconds;
  while (now_s() < end) {
  }
}

static void child_of_helper(void) {
  omp_set_max_active_levels(3);
  for (int turn = 0; turn < 40; turn++) {
    int ran = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
      spend(0.003);
      for (int i = 0; i < 100; i++) {
#pragma omp task untied shared(ran)
        {
          spend(20e-6);
#pragma omp atomic
          ran++;
        }
      }
    }
    CHECK(ran == 100);
  }
}

// The threads of a team fork, on whichever of the pool's kernel threads they are carried. The
// children need helpers of their own.
static void on_helpers_child(void) {
#pragma omp parallel num_threads(4)
  {
    spend(0.005);
#pragma omp barrier
    for (int who = 1; who < 4; who++) {
      if (omp_get_thread_num() == who) {
        pid_t pid = fork_child();
        if (pid == 0) {
          child_of_helper();
          _exit(5);
        }
        CHECK(reap(pid) == 5);
      }
#pragma omp barrier
    }
  }
}

static void on_helpers(void) {
  const char* const workers[] = {"BOBBIN_WORKERS=2", "BOBBIN_WORKERS=4"};
  for (int turn = 0; turn < 4; turn++) {
    char* argv[] = {(char*)"on-helpers-child", NULL};
    const char* env[] = {workers[turn % 2], NULL};
    struct outcome out;
    run_self(argv, env, NULL, &out);
    if (out.status != 0) dprintf(2, "%s: %s\n", workers[turn % 2], out.err);
    CHECK(out.status == 0);
  }
}

static long depth_of_tasks(long left) {
  long below = 0;
  volatile char luggage[64] = {0};
  if (left == 0) return 0;
#pragma omp task shared(below)
  below = depth_of_tasks(left - 1);
#pragma omp taskwait
  return below + 1 + luggage[0];
}

static void* fork_and_recurse(void* arg) {
  pid_t pid = fork_child();
  if (pid == 0) {
    long depth = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    depth = depth_of_tasks(200000);
    CHECK(depth == 200000);
    _exit(5);
  }
  CHECK(reap(pid) == 5);
  return arg;
}

// The child's only thread is not on the stack that the kernel made for the process's first thread.
static void from_pthread(void) {
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1024 * 1024);
  CHECK(pthread_create(&thread, &small, fork_and_recurse, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

static void handler_region(void) { region(3); }

// A program's own fork handlers may open regions.
static void atfork_handlers(void) {
  region(4);
  CHECK(pthread_atfork(handler_region, handler_region, handler_region) == 0);
  for (int i = 0; i < 5; i++) {
    pid_t pid = fork_child();
    if (pid == 0) {
      all_regions();
      exit(5);
    }
    CHECK(reap(pid) == 5);
  }
  region(4);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"before", before},
      {"after", after},
      {"after-child-returns", after_child_returns},
      {"icvs", icvs},
      {"during-other", during_other},
      {"while-reducing", while_reducing},
      {"in-region-exits", in_region_exits},
      {"in-region-opens", in_region_opens},
      {"in-region-works", in_region_works},
      {"in-region-execs", in_region_execs},
      {"in-region-vforks", in_region_vforks},
      {"in-region-spawns", in_region_spawns},
      {"in-region-system", in_region_system},
      {"in-region-sets-ids", in_region_sets_ids},
      {"on-helpers", on_helpers},
      {"on-helpers-child", on_helpers_child},
      {"from-pthread", from_pthread},
      {"atfork-handlers", atfork_handlers},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
