// SPDX-License-Identifier: Apache-2.0
// The overhead of a construct, after EPCC (docs/references.md): the time of many repetitions of the
// construct around a delay of known length, less the time of the delays alone.
#pragma once

#include <omp.h>

#include "common.h"

// How the delays of one repetition fall. The reference is measured with delays that fall the same
// way, so that what processors shared by several threads cost counts as no overhead.
enum order {
  kShared,         // each thread of the team has its part, side by side
  kOneByOne,       // one at a time in the team
  kOneByOneOfAll,  // one at a time in the whole program, other teams included
};

struct test {
  const char* group;
  const char* construct;
  long (*body)(long reps);  // returns the number of delays, which is checked
  enum order order;
  int each;           // delays a repetition, for each thread of the team
  int all;            // or for the team
  double constructs;  // a repetition, for each thread or for the team
  int finer;          // the delay is divided by this, if it is not 0: so many of them are noise
  const char* parameter;
  long value;
  int (*available)(void);  // if that is in question
};

// The tests of one group; the list ends with a construct of NULL.
extern const struct test kSyncTests[];
extern const struct test kLockTests[];
extern const struct test kLoopTests[];
extern const struct test kDataTests[];
extern const struct test kTaskTests[];

extern int team_size;
extern long delay_turns;
extern long parameter_value;  // of the test that runs: a chunk

// Counts delays for each thread of one team, in a line of its own.
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
