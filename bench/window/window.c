// SPDX-License-Identifier: Apache-2.0
// One construct at a time: all threads enter it at an agreed time, and each thread takes a stamp
// when it enters and when it leaves.
#include "constructs.h"

#include "statistics.h"

static const char kUsage[] =
    "window [construct=all] [threads=0] [samples=100] [exchanges=100] [lead_us=20] [late_us=1]\n"
    "       [gap_us=20] [loop_us=0.1]\n"
    "construct  barrier, single, for_dynamic, parallel...: see bench/window/constructs.h\n"
    "exchanges  with each thread, to find how far its clock is off\n"
    "lead_us    between the announcement of a sample and its entry\n"
    "late_us    samples that a thread entered later than that are left out, if they are fewer "
    "than\n"
    "           half; `late` is their share\n"
    "gap_us     between two regions, where one thread enters\n"
    "Prints, for each construct and phase of it, medians of three metrics:\n"
    "  first_out_last_in_us  from the last thread's entry to the first one's exit\n"
    "  avg_out_last_in_us    to the mean of the exits\n"
    "  last_out_first_in_us  from the first entry to the last exit\n";

enum metric { kFirstOutLastIn, kAverageOutLastIn, kLastOutFirstIn, kMetrics };
static const char* const kMetricNames[] = {"first_out_last_in_us", "avg_out_last_in_us",
                                           "last_out_first_in_us"};

enum phase { kWhole, kToInside, kFromInside, kPhases };

static struct {
  int samples, exchanges;
  double lead_us, late_us, gap_us;
} settings;

// For one construct. The lateness is the time by which the last thread missed the entry.
struct series {
  double* values[kPhases][kMetrics];
  double* lateness;
};

static double in(int thread) { return stamps[thread].in; }
static double inside(int thread) { return stamps[thread].inside; }
static double out(int thread) { return stamps[thread].out; }

struct range {
  double first, mean, last;
};

// Over `count` threads, except those that have no stamp.
static struct range range_of(double (*stamp_of)(int), int count) {
  struct range range = {INFINITY, 0, -INFINITY};
  int stamped = 0;
  for (int i = 0; i < count; i++) {
    double at = stamp_of(i);
    if (isnan(at)) continue;
    stamped++;
    range.mean += at;
    range.first = fmin(range.first, at);
    range.last = fmax(range.last, at);
  }
  range.mean /= stamped;
  return range;
}

static void put(struct series* series, enum phase phase, int sample, struct range from,
                struct range to) {
  const double us = 1e-3 / ticks_per_ns;
  series->values[phase][kFirstOutLastIn][sample] = us * (to.first - from.last);
  series->values[phase][kAverageOutLastIn][sample] = us * (to.mean - from.last);
  series->values[phase][kLastOutFirstIn][sample] = us * (to.last - from.first);
}

static void collect(const struct construct* construct, struct series* series, int sample) {
  int entering = construct->entered == kByTheTeam ? team_size : 1;
  struct range ins = range_of(in, entering), outs = range_of(out, entering);
  put(series, kWhole, sample, ins, outs);
  if (construct->to_inside) put(series, kToInside, sample, ins, range_of(inside, team_size));
  if (construct->from_inside) put(series, kFromInside, sample, range_of(inside, team_size), outs);
  series->lateness[sample] = 0;
  if (construct->entered == kByTheTeam)
    series->lateness[sample] = 1e-3 * (ins.last - window.entry) / ticks_per_ns;
}

static void sample_team(const struct construct* construct, struct series* series) {
  const double lead = 1e3 * settings.lead_us * ticks_per_ns;
  static long base;  // samples are numbered consecutively over all constructs
#pragma omp parallel num_threads(team_size)
  {
    // The first sample warms up.
    for (int i = 0; i <= settings.samples; i++) {
      if (omp_get_thread_num() == 0) {
        wait_for_others();
        if (i > 1) collect(construct, series, i - 2);
        announce(base + i + 1, lead);
      } else {
        wait_for_announcement(base + i + 1);
      }
      wait_for_entry();
      construct->body();
    }
  }
  collect(construct, series, settings.samples - 1);
  base += settings.samples + 1;
}

static void sample_regions(const struct construct* construct, struct series* series, double turns) {
  for (int i = -1; i < settings.samples; i++) {
    work_turns((long)(settings.gap_us * turns));
    construct->body();
    if (i >= 0) collect(construct, series, i);
  }
}

// Drops the samples that were entered late, if enough samples remain. Returns how many remain.
static int keep_punctual(struct series* series, double* late) {
  int kept = 0;
  for (int i = 0; i < settings.samples; i++) kept += series->lateness[i] <= settings.late_us;
  *late = 1 - (double)kept / settings.samples;
  if (2 * kept < settings.samples) return settings.samples;
  for (int phase = 0; phase < kPhases; phase++)
    for (int metric = 0; metric < kMetrics; metric++) {
      double* values = series->values[phase][metric];
      for (int i = 0, k = 0; i < settings.samples; i++)
        if (series->lateness[i] <= settings.late_us) values[k++] = values[i];
    }
  return kept;
}

static void report(const struct construct* construct, struct series* series) {
  const char* const phases[] = {"whole", construct->to_inside, construct->from_inside};
  double late;
  int kept = keep_punctual(series, &late);
  for (int phase = 0; phase < kPhases; phase++) {
    if (phases[phase] == NULL) continue;
    for (int metric = 0; metric < kMetrics; metric++) {
      struct summary all = summarise(series->values[phase][metric], kept);
      print_metric_of(kMetricNames[metric], all.median, "us",
                      "construct=%s phase=%s threads=%d q1=%.6g q3=%.6g min=%.6g max=%.6g "
                      "samples=%d late=%.3g",
                      construct->name, phases[phase], team_size, all.q1, all.q3, all.min, all.max,
                      kept, late);
    }
  }
  fflush(stdout);
}

static void measure(const struct construct* construct, double turns) {
  const size_t each = (size_t)settings.samples;
  double* memory = calloc((kPhases * kMetrics + 1) * each, sizeof *memory);
  require(memory != NULL, "memory for the samples");
  struct series series = {.lateness = memory};
  for (size_t phase = 0; phase < kPhases; phase++)
    for (size_t metric = 0; metric < kMetrics; metric++)
      series.values[phase][metric] = memory + (1 + phase * kMetrics + metric) * each;
  if (construct->entered == kByTheTeam)
    sample_team(construct, &series);
  else
    sample_regions(construct, &series, turns);
  // No thread leaves a barrier before the last thread has arrived.
  if (construct->body == barrier)
    for (int i = 0; i < settings.samples; i++) {
      double error = 0;
      for (int k = 1; k < team_size; k++) error = fmax(error, offsets[k].error);
      require(series.values[kWhole][kFirstOutLastIn][i] > -2e-3 * error / ticks_per_ns,
              "nobody left the barrier before the last came");
    }
  report(construct, &series);
  free(memory);
}

static void show_clock(const char* clock) {
  double furthest = 0, error = 0;
  for (int i = 1; i < team_size; i++) {
    furthest = fmax(furthest, fabs(offsets[i].ticks));
    error = fmax(error, offsets[i].error);
  }
  print_metric_of("clock_offset_ns", furthest / ticks_per_ns, "ns",
                  "clock=%s threads=%d error_ns=%.3g ticks_per_ns=%.6g", clock, team_size,
                  error / ticks_per_ns, ticks_per_ns);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  const char* wanted = arg_text(argc, argv, "construct", "all");
  team_size = (int)arg_number(argc, argv, "threads", 0);
  settings.samples = (int)arg_number(argc, argv, "samples", 100);
  settings.exchanges = (int)arg_number(argc, argv, "exchanges", 100);
  settings.lead_us = arg_number(argc, argv, "lead_us", 20);
  settings.late_us = arg_number(argc, argv, "late_us", 1);
  settings.gap_us = arg_number(argc, argv, "gap_us", 20);
  double loop_us = arg_number(argc, argv, "loop_us", 0.1);
  if (team_size == 0) team_size = omp_get_max_threads();
  require(settings.samples > 0 && settings.exchanges > 0, "samples and exchanges are at least 1");
  require(team_size <= kMostThreads, "at most 1024 threads");
  omp_set_dynamic(0);

  const char* clock = choose_clock();
  double turns = turns_per_us();
  loop_turns = (long)(loop_us * turns);
#pragma omp parallel num_threads(team_size)
  {
    require(omp_get_num_threads() == team_size, "every thread came");
    measure_offsets(settings.exchanges, (long)(5000 * turns));
  }
  show_clock(clock);
  int found = 0;
  for (size_t i = 0; i < sizeof kConstructs / sizeof kConstructs[0]; i++) {
    if (strcmp(wanted, "all") != 0 && strcmp(wanted, kConstructs[i].name) != 0) continue;
    measure(&kConstructs[i], turns);
    found++;
  }
  require(found > 0, "construct is one of those that bench/window/constructs.h lists");
  passed();
  return 0;
}
