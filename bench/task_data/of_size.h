// SPDX-License-Identifier: Apache-2.0
// Tasks with BYTES of data; task_data.c includes this once for each size.

struct SIZED(data) {
  char bytes[BYTES];
};
static struct SIZED(data) SIZED(first);

static void SIZED(set)(void) {
  SIZED(first).bytes[0] = 3;
  SIZED(first).bytes[BYTES - 1] = 5;
}

static inline long SIZED(found)(const struct SIZED(data) * data) {
  use(data);
  return data->bytes[0] == 3 && data->bytes[BYTES - 1] == 5;
}

static long SIZED(tree)(int depth) {
  if (depth == 0) return 0;
  long a, b;
#pragma omp task firstprivate(SIZED(first)) shared(a) if (deferred)
  a = SIZED(found)(&SIZED(first)) + SIZED(tree)(depth - 1);
#pragma omp task firstprivate(SIZED(first)) shared(b) if (deferred)
  b = SIZED(found)(&SIZED(first)) + SIZED(tree)(depth - 1);
#pragma omp taskwait
  return a + b;
}

static long SIZED(private_tree)(int depth) {
  if (depth == 0) return 0;
  long a, b;
  struct SIZED(data) own;
#pragma omp task private(own) shared(a) if (deferred)
  {
    use(&own);
    a = 1 + SIZED(private_tree)(depth - 1);
  }
#pragma omp task private(own) shared(b) if (deferred)
  {
    use(&own);
    b = 1 + SIZED(private_tree)(depth - 1);
  }
#pragma omp taskwait
  return a + b;
}

static long SIZED(loop)(long tasks) {
  long right = 0;
  for (long i = 0; i < tasks; i++) {
#pragma omp task firstprivate(SIZED(first)) shared(right)
    {
      work_turns(turns);
      long one = SIZED(found)(&SIZED(first));
#pragma omp atomic
      right += one;
    }
  }
#pragma omp taskwait
  return right;
}
