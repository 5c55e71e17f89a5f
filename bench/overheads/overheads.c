// SPDX-License-Identifier: Apache-2.0
// The overhead of every construct: the time of one repetition of it around a delay, minus the time
// of the same delays without it. Both are measured from the first repetition in a region to the
// last. So the one-time cost of a region is in neither. Otherwise it would count the more, the
// fewer repetitions fill a sample, and more threads mean fewer repetitions.
#include "overhead.h"

#include "statistics.h"

static const char kUsage[] =
    "overheads [construct=all] [mode=flat|nested|oversubscribed|loop] [threads=0] [outer=2]\n"
    "          [ntasks=16] [delay_us=0.1] [sample_us=1000] [samples=20] [value=0] [list=no|yes]\n"
    "construct  one of those that list=yes shows, a group (sync, locks, loop, data, task), or all\n"
    "mode       nested: `outer` teams side by side; oversubscribed: 4 threads a processor;\n"
    "           loop: from each of `ntasks` iterations of a loop, which is serial and then "
    "parallel\n"
    "threads    of a team; 0: as OMP_NUM_THREADS says\n"
    "value      of a construct that is measured by chunk or bytes, the only one; 0: all of them\n"
    "delay_us   of a delay; a tenth of that in loops by schedule, where each thread has 128\n"
    "Prints the median overhead of one construct, for each thread where all of them execute it.\n"
    "least_us is the least time less the least of the delays, which other programs hardly change.\n"
    "A chain, and a lock that all want, cost the more the longer the team: the reference has the\n"
    "delays one by one, too. In mode loop the figures are of all iterations together.\n";

enum { kLeastReps = 9 };  // per sample

int team_size;
long delay_turns;
long parameter_value;

static int teams = 1;
static int iterations = 1;     // of the loop that calls, in mode loop
static int loop_parallel = 0;  // whether its threads share them
static double turns_of_a_delay;

struct tally* new_tally(void) {
  struct tally* tally = calloc((size_t)team_size, sizeof *tally);
  require(tally != NULL, "memory for the counters");
  return tally;
}

long end_tally(struct tally* tally) {
  long sum = 0;
  for (int i = 0; i < team_size; i++) sum += tally[i].delays;
  free(tally);
  return sum;
}

static long delays_side_by_side(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) delay(tally);
  return end_tally(tally);
}

static long delays_one_by_one(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(1)
  for (long r = 0; r < reps; r++) delay(tally);
  return end_tally(tally);
}

// Returns seconds. All teams run the body at the same time, and the slowest one counts.
static double timed(long (*body)(long), long reps, long expected) {
  long delays = 0;
  double took = 0;
  if (loop_parallel) {
    double start = seconds();
#pragma omp parallel for schedule(dynamic, 1) num_threads(team_size) reduction(+ : delays)
    for (int i = 0; i < iterations; i++) delays += body(reps);
    took = seconds() - start;
  } else if (teams == 1) {
    double start = seconds();
    for (int i = 0; i < iterations; i++) delays += body(reps);
    took = seconds() - start;
  } else {
#pragma omp parallel num_threads(teams) reduction(+ : delays) reduction(max : took)
    {
#pragma omp barrier
      double start = seconds();
      delays = body(reps);
      took = seconds() - start;
    }
  }
  require(delays == expected * teams * iterations, "every delay took place");
  return took;
}

// Returns the seconds of the delays alone, distributed as in `reps` repetitions of the test.
static double reference(const struct test* test, long reps) {
  long each = (test->each + test->all) * reps;
  switch (test->order) {
    case kShared:
      // Each thread takes its part of the delays of the whole team.
      if (test->all > 0) each = (each + team_size - 1) / team_size;
      return timed(delays_side_by_side, each, each * team_size);
    case kOneByOne:
      if (test->each > 0) each *= team_size;
      return timed(delays_one_by_one, each, each);
    case kOneByOneOfAll: {
      int parallel = loop_parallel;
      loop_parallel = 0;
      double took = teams * timed(delays_one_by_one, each * team_size, each * team_size);
      loop_parallel = parallel;
      return took;
    }
  }
  return 0;
}

static double test_time(const struct test* test, long reps) {
  return timed(test->body, reps, (test->each * team_size + test->all) * reps);
}

// The least seconds of one repetition and of many.
struct least {
  double once, many;
};

// Returns the microseconds of each repetition after the first.
static double of_one(double (*taken)(const struct test*, long), const struct test* test, long reps,
                     struct least* least) {
  double once = taken(test, 1), many = taken(test, reps);
  least->once = fmin(least->once, once);
  least->many = fmin(least->many, many);
  return 1e6 * (many - once) / (double)(reps - 1);
}

static double least_of_one(const struct least* least, long reps) {
  return 1e6 * (least->many - least->once) / (double)(reps - 1);
}

static void choose_delay(const struct test* test) {
  parameter_value = test->value;
  delay_turns = (long)(turns_of_a_delay / (test->finer > 0 ? test->finer : 1)) + 1;
}

// Returns how many repetitions fill a sample.
static long enough_reps(const struct test* test, double sample) {
  long reps = kLeastReps;
  test_time(test, 1);  // completes everything that happens only once
  while (test_time(test, reps) < sample / 2) reps *= 2;
  return reps;
}

static double constructs_of_a_repetition(const struct test* test) {
  // The threads of the team execute one construct each, one after the other.
  int in_turn = test->order != kShared && test->each > 0;
  return in_turn ? test->constructs * team_size : test->constructs;
}

static void measure(const struct test* test, const char* mode, double sample, int samples) {
  choose_delay(test);
  long reps = enough_reps(test, sample);
  double constructs = constructs_of_a_repetition(test);
  double overheads[samples], references[samples];
  struct least with = {INFINITY, INFINITY}, without = {INFINITY, INFINITY};
  for (int i = 0; i < samples; i++) {
    references[i] = of_one(reference, test, reps, &without) / constructs;
    overheads[i] = of_one(test_time, test, reps, &with) / constructs - references[i];
  }
  struct summary all = summarise(overheads, samples);
  double least = (least_of_one(&with, reps) - least_of_one(&without, reps)) / constructs;
  char parameter[40] = "";
  if (test->parameter != NULL)
    snprintf(parameter, sizeof parameter, " %s=%ld", test->parameter, test->value);
  print_metric_of("overhead_us", all.median, "us",
                  "group=%s construct=%s%s mode=%s teams=%d threads=%d q1=%.6g q3=%.6g min=%.6g "
                  "max=%.6g mean=%.6g sd=%.6g samples=%d reps=%ld reference_us=%.6g",
                  test->group, test->construct, parameter, mode, teams, team_size, all.q1, all.q3,
                  all.min, all.max, all.mean, all.deviation, samples, reps,
                  summarise(references, samples).median);
  print_metric_of("least_us", least, "us", "construct=%s%s mode=%s threads=%d samples=%d",
                  test->construct, parameter, mode, team_size, samples);
  fflush(stdout);
}

// The same from a loop, after Hadjidoukas and Dimakopoulos (docs/references.md): each iteration
// calls the routine, whose regions are nested if the loop is parallel. Serial and parallel take
// turns.
static void measure_from_loop(const struct test* test, double sample, int samples) {
  choose_delay(test);
  long reps = enough_reps(test, sample);
  double constructs = constructs_of_a_repetition(test);
  double totals[2][samples], overheads[2][samples];
  for (int i = 0; i < samples; i++) {
    for (loop_parallel = 0; loop_parallel < 2; loop_parallel++) {
      struct least least = {INFINITY, INFINITY};
      double total = of_one(test_time, test, reps, &least) / constructs;
      totals[loop_parallel][i] = total;
      overheads[loop_parallel][i] = total - of_one(reference, test, reps, &least) / constructs;
    }
  }
  loop_parallel = 0;
  for (int nested = 0; nested < 2; nested++) {
    char labels[160];
    snprintf(labels, sizeof labels,
             "construct=%s nested=%s ntasks=%d threads=%d samples=%d reps=%ld", test->construct,
             nested ? "yes" : "no", iterations, team_size, samples, reps);
    print_metric_of("total_us", summarise(totals[nested], samples).median, "us", "%s", labels);
    print_metric_of("overhead_us", summarise(overheads[nested], samples).median, "us", "%s",
                    labels);
  }
  fflush(stdout);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  const char* wanted = arg_text(argc, argv, "construct", "all");
  const char* mode = arg_text(argc, argv, "mode", "flat");
  int list = strcmp(arg_text(argc, argv, "list", "no"), "yes") == 0;
  team_size = (int)arg_number(argc, argv, "threads", 0);
  double delay_us = arg_number(argc, argv, "delay_us", 0.1);
  double sample = 1e-6 * arg_number(argc, argv, "sample_us", 1000);
  int samples = (int)arg_number(argc, argv, "samples", 20);
  require(samples > 0, "samples is at least 1");
  long value = (long)arg_number(argc, argv, "value", 0);

  if (strcmp(mode, "oversubscribed") == 0 && team_size == 0) team_size = 4 * omp_get_num_procs();
  if (team_size == 0) team_size = omp_get_max_threads();
  if (strcmp(mode, "nested") == 0) teams = (int)arg_number(argc, argv, "outer", 2);
  int from_loop = strcmp(mode, "loop") == 0;
  if (from_loop) iterations = (int)arg_number(argc, argv, "ntasks", 16);
  require(teams > 0 && iterations > 0, "outer and ntasks are at least 1");
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  turns_of_a_delay = delay_us * turns_per_us();

  static const struct test* const kGroups[] = {kSyncTests, kLockTests, kLoopTests, kDataTests,
                                               kTaskTests};
  int found = 0, measured = 0;
  for (size_t g = 0; g < sizeof kGroups / sizeof kGroups[0]; g++)
    for (const struct test* test = kGroups[g]; test->construct != NULL; test++) {
      int named = strcmp(wanted, "all") == 0 || strcmp(wanted, test->construct) == 0 ||
                  strcmp(wanted, test->group) == 0;
      if (!named || (value != 0 && test->parameter != NULL && test->value != value)) continue;
      found++;
      int available = test->available == NULL || test->available();
      if (!available)
        printf("construct=%s skipped=\"not in this runtime\"\n", test->construct);
      else if (list)
        printf("construct=%s group=%s\n", test->construct, test->group);
      else if (from_loop)
        measure_from_loop(test, sample, samples);
      else
        measure(test, mode, sample, samples);
      measured += available;
    }
  require(found > 0, "construct is one of those that list=yes shows");
  if (measured == 0) {
    printf("check=skipped what=\"%s in this runtime\"\n", wanted);
    return 0;
  }
  passed();
  return 0;
}
