// SPDX-License-Identifier: Apache-2.0
// The data clauses with an array of BYTES; data.c includes this once for each size.

static long SIZED(private)(long reps) {
  struct tally* tally = new_tally();
  char array[BYTES];
  for (long r = 0; r < reps; r++) {
#pragma omp parallel num_threads(team_size) private(array)
    {
      use(array);
      delay(tally);
    }
  }
  return end_tally(tally);
}

static long SIZED(firstprivate)(long reps) {
  struct tally* tally = new_tally();
  char array[BYTES];
  memset(array, 7, BYTES);
  for (long r = 0; r < reps; r++) {
#pragma omp parallel num_threads(team_size) firstprivate(array)
    {
      use(array);
      require(array[BYTES - 1] == 7, "firstprivate copied the array");
      array[BYTES - 1] = 0;
      delay(tally);
    }
  }
  return end_tally(tally);
}

static char SIZED(everyones)[BYTES];
#pragma omp threadprivate(SIZED(everyones))

static long SIZED(copyin)(long reps) {
  struct tally* tally = new_tally();
  char* mine = SIZED(everyones);
  memset(mine, 7, BYTES);
  for (long r = 0; r < reps; r++) {
#pragma omp parallel num_threads(team_size) copyin(SIZED(everyones))
    {
      char* array = SIZED(everyones);
      require(array[BYTES - 1] == 7, "copyin copied the array");
      if (array != mine) array[BYTES - 1] = 0;
      delay(tally);
    }
  }
  return end_tally(tally);
}

static long SIZED(copyprivate)(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  {
    char array[BYTES];
    memset(array, 0, BYTES);
    for (long r = 0; r < reps; r++) {
#pragma omp single copyprivate(array)
      {
        array[BYTES - 1] = (char)(r & 7);
        use(array);
        delay(tally);
      }
      require(array[BYTES - 1] == (r & 7), "copyprivate copied the array");
    }
  }
  return end_tally(tally);
}
