/* SPDX-License-Identifier: Apache-2.0
 * One-sided communication in tasks. The calls that synchronise keep their thread; completion of
 * requests does not. */
#include "report.h"

enum { kCount = 8 };

static int right, left;
static int* memory;
static MPI_Win window;

static void fences(void) {
  int value = 100 + rank, error = 0;
  error = MPI_Win_fence(0, window);
  say("Win_fence", error);
  IN_TASK(MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, window);
          error = MPI_Win_fence(0, window))
  say("Win_fence in a task", error);
  say_values("Put", memory, 1);
}

static void locks(void) {
  int value = 200 + rank, got = 0, error = 0;
  IN_TASK(error = MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window))
  say("Win_lock", error);
  IN_TASK(error = MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, window);
          error |= MPI_Win_flush(right, window))
  say("Win_flush", error);
  IN_TASK(error = MPI_Get(&got, 1, MPI_INT, right, 1, 1, MPI_INT, window);
          error |= MPI_Win_unlock(right, window))
  say("Win_unlock", error);
  say_values("Get", &got, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  say_values("Put with a lock", &memory[1], 1);
}

/* More tasks than threads wait for the requests of one-sided operations. */
static void requests(void) {
  static int got[kCount];
  int wrong = 0;
  MPI_Win_lock_all(0, window);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 2; i < kCount; i++) {
#pragma omp task firstprivate(i) shared(wrong)
    {
      int value = 1000 * rank + i;
      MPI_Request put, get;
      MPI_Rput(&value, 1, MPI_INT, right, i, 1, MPI_INT, window, &put);
      MPI_Wait(&put, MPI_STATUS_IGNORE);
      MPI_Win_flush(right, window);
      MPI_Rget(&got[i], 1, MPI_INT, right, i, 1, MPI_INT, window, &get);
      MPI_Wait(&get, MPI_STATUS_IGNORE);
      if (got[i] != value) {
#pragma omp atomic
        wrong++;
      }
    }
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  say_values("Rput", &memory[2], kCount - 2);
  say_values("Rget, wrong", &wrong, 1);
}

int main(int argc, char** argv) {
  int provided;
  if (argc < 2) return 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  open_report(argv[1]);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  MPI_Win_allocate(kCount * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &window);
  memset(memory, 0, kCount * sizeof(int));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < 10; round++) {
    fences();
    locks();
    MPI_Barrier(MPI_COMM_WORLD);
    requests();
  }
  say_values("left", &left, 1);
  MPI_Win_free(&window);
  fclose(report);
  MPI_Finalize();
  return 0;
}
