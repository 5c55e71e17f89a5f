/* SPDX-License-Identifier: Apache-2.0
 * distribute, alone and combined with parallel loops: each team's share, every type of loop
 * variable, bounds at the ends of the type, loops without iterations, the last iteration's
 * value. */
#include <limits.h>

#include "check.h"

enum { kCount = 120 };
static int hits[kCount];

static void begin(void) { memset(hits, 0, sizeof hits); }

static void all_hit(int times) {
  for (int i = 0; i < kCount; i++) CHECK_EQ(hits[i], times);
}

static void blocks(void) {
  static int team_of[kCount];
  begin();
#pragma omp teams num_teams(4)
#pragma omp distribute
  for (int i = 0; i < kCount; i++) {
    add_one(&hits[i]);
    team_of[i] = omp_get_team_num();
  }
  all_hit(1);
  for (int i = 1; i < kCount; i++) CHECK(team_of[i] >= team_of[i - 1]);
}

static void chunks(void) {
  begin();
#pragma omp teams num_teams(3)
#pragma omp distribute dist_schedule(static, 5)
  for (unsigned long long i = 0; i < kCount; i++) {
    add_one(&hits[i]);
    CHECK_EQ(omp_get_team_num(), i / 5 % omp_get_num_teams());
  }
  all_hit(1);
}

static void collapsed(void) {
  begin();
#pragma omp teams distribute parallel for num_teams(2) collapse(2) dist_schedule(static, 3)
  for (int i = 0; i < 12; i++)
    for (long j = 10; j > 0; j--) add_one(&hits[i * 10 + j - 1]);
#pragma omp teams distribute simd num_teams(2)
  for (int i = 0; i < kCount; i++) hits[i] += 1;
  all_hit(2);
}

/* The loops of one type: upwards to its largest value and downwards to its smallest, where one
 * addition too many would wrap around. */
#define TEAMS(clauses) _Pragma(STRING(omp teams distribute parallel for num_threads(3) clauses))
#define STRING(x) #x

#define LOOPS(name, T, bottom, top)                                                       \
  static void name(void) {                                                                \
    const T low = (bottom), up = low + 2 * kCount, end = (top), start = end - 2 * kCount; \
    T last = 0;                                                                           \
    begin();                                                                              \
    TEAMS(num_teams(2) lastprivate(last))                                                 \
    for (T i = start; i < end; i += 2) last = i, add_one(&hits[(i - start) / 2]);         \
    CHECK_EQ(end - last, 2);                                                              \
    TEAMS(num_teams(2) dist_schedule(static, 7) schedule(static, 3))                      \
    for (T i = up; i > low; i -= 2) add_one(&hits[(i - low) / 2 - 1]);                    \
    all_hit(2);                                                                           \
    TEAMS(num_teams(3) schedule(dynamic, 4) lastprivate(last))                            \
    for (T i = up; i > low; i -= 2) last = i, add_one(&hits[(i - low) / 2 - 1]);          \
    CHECK_EQ(last - low, 2);                                                              \
    TEAMS(num_teams(3) schedule(guided))                                                  \
    for (T i = start; i < end; i += 2) add_one(&hits[(i - start) / 2]);                   \
    all_hit(4);                                                                           \
    TEAMS(num_teams(2) schedule(dynamic))                                                 \
    for (T i = end; i < start; i += 2) add_one(&hits[0]);                                 \
    TEAMS(num_teams(2) dist_schedule(static, 2))                                          \
    for (T i = low; i > up; i -= 2) add_one(&hits[0]);                                    \
    all_hit(4);                                                                           \
  }

LOOPS(ints, int, INT_MIN, INT_MAX)
LOOPS(unsigneds, unsigned, 0, UINT_MAX)
LOOPS(longs, long long, LLONG_MIN, LLONG_MAX)
LOOPS(unsigned_longs, unsigned long long, 0, ULLONG_MAX)

int main(void) {
  CHECK_BEGIN();
  RUN(blocks);
  RUN(chunks);
  RUN(collapsed);
  RUN(ints);
  RUN(unsigneds);
  RUN(longs);
  RUN(unsigned_longs);
  return check_end();
}
