// SPDX-License-Identifier: Apache-2.0
// Sweeps over the planes of a grid as a pipeline: each thread waits in a plain loop for its
// neighbour's flag, as the NAS benchmark LU does.
#include <omp.h>
#include <stdatomic.h>

#include "common.h"

static const char kUsage[] =
    "pipeline [steps=100] [planes=31] [work=40]\n"
    "A step is a region with a sweep there and one back over the planes, and one with a loop.\n"
    "`work` is a thread's in a plane, in us.\n";

static struct {
  _Alignas(128) atomic_int full;
} flag[256];

// A thread may begin the plane when the neighbour before it has finished the plane. The neighbour
// behind it must have seen that the previous plane is finished.
static void take(int neighbour) {
  while (atomic_load_explicit(&flag[neighbour].full, memory_order_acquire) == 0) continue;
  atomic_store_explicit(&flag[neighbour].full, 0, memory_order_release);
}

static void give(int me) {
  while (atomic_load_explicit(&flag[me].full, memory_order_acquire) == 1) continue;
  atomic_store_explicit(&flag[me].full, 1, memory_order_release);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long steps = (long)arg_number(argc, argv, "steps", 100);
  long planes = (long)arg_number(argc, argv, "planes", 31);
  long turns = (long)(arg_number(argc, argv, "work", 40) * turns_per_us());
  int threads = omp_get_max_threads();
  require(threads <= 256, "threads");
  long done = 0, looped = 0;
  double start = seconds();
  for (long step = 0; step < steps; step++) {
#pragma omp parallel reduction(+ : done)
    {
      int me = omp_get_thread_num();
      if (me == 0) require(omp_get_num_threads() == threads, "every thread came");
      for (int back = 0; back < 2; back++) {
        for (long plane = 0; plane < planes; plane++) {
          if (me > 0) take(me - 1);
          work_turns(turns);
          done++;
          if (me < threads - 1) give(me);
        }
#pragma omp barrier
      }
    }
#pragma omp parallel for reduction(+ : looped)
    for (long plane = 0; plane < planes; plane++) {
      work_turns(threads * turns);
      looped++;
    }
  }
  double took = seconds() - start;
  require(done == 2 * steps * planes * threads, "every thread swept every plane");
  require(looped == steps * planes, "every plane");
  print_metric("step_us", 1e6 * took / (double)steps, "us");
  passed();
  return 0;
}
