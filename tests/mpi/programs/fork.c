/* SPDX-License-Identifier: Apache-2.0
 * Rank 0 forks in a task while other tasks wait for messages. The child opens a region of its own,
 * in which nobody may look for these messages, and then exits, executes a program, or goes on with
 * the parent's region: fork exits|execs|goes-on|goes-on-late. With the last, the messages have come
 * when it forks. The parent prints how the child ended, and goes on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kTasks = 20 };

static const char* way;
static int in_child;

/* Its thread runs nothing else meanwhile: a sleep would be a scheduling point. */
static void work_for_100ms(void) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 100);
}

/* Returns whether this is a child that goes on. It may make no calls of MPI. */
static int fork_here(void) {
  fflush(NULL);
  if (strcmp(way, "goes-on-late") == 0) work_for_100ms();
  const pid_t child = fork();
  if (child == 0) {
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp task
      usleep(1000);
#pragma omp taskwait
      sum++;
    }
    if (sum == 0) _exit(8);
    if (strcmp(way, "execs") == 0) execlp("sh", "sh", "-c", "exit 7", (char*)NULL);
    if (strncmp(way, "goes-on", 7) != 0) _exit(7);
    in_child = 1;
    return 1;
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child) MPI_Abort(MPI_COMM_WORLD, 3);
  if (WIFEXITED(status)) printf("child exits with %d\n", WEXITSTATUS(status));
  if (WIFSIGNALED(status)) printf("child is ended by signal %d\n", WTERMSIG(status));
  return 0;
}

int main(int argc, char** argv) {
  int provided, rank, wrong = 0;
  static int got[kTasks];
  way = argc > 1 ? argv[1] : "exits";
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
      {
        MPI_Recv(&got[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (in_child) _exit(9);
      }
    }
#pragma omp task
    {
      int value = rank;
      const int messages = rank == 0 && fork_here() ? 0 : kTasks;
      for (int i = 0; i < messages; i++) MPI_Send(&value, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    }
  }
  for (int i = 0; i < kTasks; i++) wrong += got[i] != 1 - rank;
  MPI_Finalize();
  return wrong != 0;
}
