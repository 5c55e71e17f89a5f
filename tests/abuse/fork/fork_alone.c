// SPDX-License-Identifier: Apache-2.0
// fork() within a region: of all threads, the child has only the one that forked. The other threads
// neither begin nor continue there. Where the child would have to wait for them, it ends with an
// error.
#include <semaphore.h>
#include <sys/mman.h>

#include "../common/abuse.h"

enum { kThreads = 12, kGoesOn = 5, kFails = 1, kStray = 9 };

static pid_t original;
static int* strays;  // number of threads that ran in a child and had not forked; shared

// Every thread except the one that forks calls this now and then.
static void stay_in_parent(void) {
  if (getpid() == original) return;
  __atomic_fetch_add(strays, 1, __ATOMIC_RELAXED);
  _exit(kStray);
}

static void use_openmp(void) {
  for (int i = 0; i < 3; i++) {
    nested_region(3, 2);
    task_region(3);
    loop_region(4);
  }
}

static void child_uses_openmp(void) {
  pid_t pid = fork_child();
  if (pid == 0) {
    use_openmp();
    _exit(kGoesOn);
  }
  CHECK(reap(pid) == kGoesOn);
}

// Threads that have not begun.
static void unbegun(void) {
  for (int turn = 0; turn < 20; turn++) {
#pragma omp parallel num_threads(kThreads)
    {
      if (omp_get_thread_num() == 0) {
        child_uses_openmp();
      } else {
        stay_in_parent();
      }
    }
  }
  CHECK(*strays == 0);
}

// Threads that are ready to run, or that wait and are notified.
static void take_turns_at_forking(int threads) {
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    for (int who = 0; who < threads; who++) {
      if (who == me) {
        child_uses_openmp();
      } else if (me % 2 != 0) {
        for (int i = 0; i < 20; i++) {
          sched_yield();
          stay_in_parent();
        }
      }
      if (who % 3 == 0) {
#pragma omp barrier
        stay_in_parent();
      }
    }
  }
}

static void suspended(void) {
  for (int turn = 0; turn < 4; turn++) take_turns_at_forking(kThreads);
  CHECK(*strays == 0);
}

static int stop;

static void* pass_barriers(void* started) {
#pragma omp parallel num_threads(kThreads)
  {
    int stopped = 0;
    if (omp_get_thread_num() == 0) sem_post((sem_t*)started);
    while (!stopped) {
      sched_yield();
      stay_in_parent();
#pragma omp single copyprivate(stopped)
      {
#pragma omp atomic read
        stopped = stop;
      }
      stay_in_parent();
    }
  }
  return NULL;
}

static void of_other_roots_child(void) {
  pthread_t other;
  sem_t started;
  sem_init(&started, 0, 0);
  CHECK(pthread_create(&other, NULL, pass_barriers, &started) == 0);
  sem_wait(&started);
  for (int turn = 0; turn < 10; turn++) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 3; i++) {
      child_uses_openmp();
#pragma omp barrier
    }
  }
#pragma omp atomic write
  stop = 1;
  pthread_join(other, NULL);
  CHECK(*strays == 0);
}

// Helpers carry threads of several roots, and have threads of each root in their queues.
static void of_other_roots(void) {
  char* argv[] = {(char*)"of-other-roots-child", NULL};
  const char* env[] = {"BOBBIN_WORKERS=4", NULL};
  struct outcome out;
  run_self(argv, env, NULL, &out);
  if (out.status != 0) dprintf(2, "%s\n", out.err);
  CHECK(out.status == 0);
}

// ---- a child that goes on in the region ----

static int said[2];  // a pipe for what children say on stderr
static int parting;  // the thread that forks
static pid_t child;

static void part(void) {
  if (omp_get_thread_num() != parting) return;
  child = fork_child();
  if (child == 0) dup2(said[1], 2);
}

static void to_the_end(void) {
#pragma omp parallel num_threads(4)
  part();
}

static void to_a_barrier(void) {
#pragma omp parallel num_threads(4)
  {
    part();
#pragma omp barrier
  }
}

static void to_a_loops_end(void) {
  int sum = 0;
#pragma omp parallel num_threads(4)
  {
    part();
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
  }
}

static void in_order(void) {
  int last = -1;
#pragma omp parallel num_threads(4)
  {
    part();
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 40; i++) {
#pragma omp ordered
      last = i;
    }
  }
  CHECK(last == 39);
}

static void to_what_another_gives(void) {
#pragma omp parallel num_threads(4)
  {
    int given = 0;
    part();
#pragma omp single copyprivate(given)
    given = 3;
    CHECK(given == 3);
  }
}

static void past_tasks(void) {
  int done = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp single nowait
    for (int i = 0; i < 200; i++) {
#pragma omp task shared(done)
      {
        usleep(10);
#pragma omp atomic
        done++;
      }
    }
    part();
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task shared(done)
      done += 0;
    }
  }
}

static void in_a_task(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 50; i++) {
#pragma omp task
      {
        if (i == 25 + parting) {
          child = fork_child();
          if (child == 0) dup2(said[1], 2);
        }
        usleep(10);
      }
    }
#pragma omp taskwait
  }
}

static void nested(void) {
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(4)
    part();
  }
}

// The child ends, and prints an error.
static void going_on(void) {
  void (*const ways[])(void) = {
      to_the_end, to_a_barrier, to_a_loops_end, in_order, to_what_another_gives,
      past_tasks, in_a_task,    nested};
  CHECK(pipe2(said, O_CLOEXEC | O_NONBLOCK) == 0);
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
    for (parting = 0; parting < 4; parting++) {
      ways[way]();
      if (child == 0) {
        // The other threads had ended.
        use_openmp();
        _exit(kGoesOn);
      }
      const int status = reap(child);
      char words[512] = "";
      const ssize_t length = read(said[0], words, sizeof words - 1);
      if (status != kGoesOn && status != kFails) dprintf(2, "way %u: %d, %s\n", way, status, words);
      CHECK(status == kGoesOn || status == kFails);
      if (status == kFails) CHECK(length > 0 && strstr(words, "left behind by fork()") != NULL);
    }
  }
}

// In a region of one thread no thread is missing.
static void in_region_of_one(void) {
  region(6);
  for (int turn = 0; turn < 3; turn++) {
    pid_t pid = -1;
    int made = 0;
#pragma omp parallel num_threads(1)
    {
      pid = fork_child();
#pragma omp task shared(made)
      made = 1;
#pragma omp barrier
    }
    CHECK(made == 1);
    if (pid == 0) {
      region(6);
      use_openmp();
      exit(kGoesOn);
    }
    CHECK(reap(pid) == kGoesOn);
  }
  region(6);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"unbegun", unbegun},
      {"suspended", suspended},
      {"of-other-roots", of_other_roots},
      {"of-other-roots-child", of_other_roots_child},
      {"going-on", going_on},
      {"in-region-of-one", in_region_of_one},
      {NULL, NULL},
  };
  original = getpid();
  void* shared = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  strays = (int*)shared;
  omp_set_max_active_levels(4);
  return run_case(cases, argc, argv);
}
