// SPDX-License-Identifier: Apache-2.0
// The overhead of a construct, after EPCC (docs/references.md): the time of many repetitions of the
// construct around a delay of known length, minus the time of the delays alone.
#pragma once

#include <omp.h>

#include "common.h"

// How the delays of one repetition are distributed. The reference is measured with the same
// distribution, so that the cost of several threads sharing a processor does not count as overhead.
enum order {
  kShared,         // each thread of the team does its part, in parallel
  kOneByOne,       // one at a time within the team
  kOneByOneOfAll,  // one at a time in the whole program, including other teams
};

struct test {
  const char* group;
  const char* construct;
  long (*body)(long reps);  // returns the number of delays, which is checked
  enum order order;
  int each;           // delays per repetition, for each thread of the team
  int all;            // or for the whole team
  double constructs;  // constructs per repetition, for each thread or for the team
  int finer;          // if not 0, the delay is divided by this: so many full delays would be noise
  const char* parameter;
  long value;
  int (*available)(void);  // NULL if it is always available
};

// The tests of one group; the list ends with a construct of NULL.
extern const struct test kSyncTests[];
extern const struct test kLockTests[];
extern const struct test kLoopTests[];
extern const struct test kDataTests[];
extern const struct test kTaskTests[];

extern int team_size;
extern long delay_turns;
extern long parameter_value;  // parameter of the running test: a chunk

// Counts the delays of each thread of one team, each in its own cache line.
struct tally {
  long delays;
  char rest_of_line[120];
};

struct tally* new_tally(void);
long end_tally(struct tally* tally);

static inline void delay(struct tally* tally) {
  work_turns(delay_turns);
  tally[omp_get_thread_num()].delays++;
}
