// SPDX-License-Identifier: Apache-2.0
// A short region at a fixed period: how long a region takes, and how much processor time the
// waiting uses.
#include <omp.h>
#include <sys/prctl.h>

#include "common.h"

static const char kUsage[] =
    "gap [period=1000] [work=20] [seconds=1] [idle=sleep|compute]\n"
    "Every `period` us the team shares `work` us of computing; between two regions the program "
    "sleeps,\n"
    "or computes serially for the rest of the period.\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  double period = 1e-6 * arg_number(argc, argv, "period", 1000);
  double work = arg_number(argc, argv, "work", 20);
  double wanted = arg_number(argc, argv, "seconds", 1);
  int compute = strcmp(arg_text(argc, argv, "idle", "sleep"), "compute") == 0;
  long regions = (long)(wanted / period);
  double rate = turns_per_us();
  const int pieces = 64;
  long piece_turns = (long)(work * rate / pieces);
  long gap_turns = (long)((1e6 * period - work) * rate);
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default of 50 us would blur the period

  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < pieces; i++) sum += 1;  // starts the pool here, outside of the measurement

  sum = 0;
  double inside = 0;
  double cpu = cpu_seconds();
  double start = seconds();
  for (long r = 0; r < regions; r++) {
    if (compute)
      work_turns(gap_turns);
    else
      sleep_until(start + (double)(r + 1) * period);
    double enter = seconds();
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < pieces; i++) {
      work_turns(piece_turns);
      sum += 1;
    }
    inside += seconds() - enter;
  }
  double took = seconds() - start;
  cpu = cpu_seconds() - cpu;
  require(sum == regions * pieces, "every piece of work was done");
  print_metric("region_us", 1e6 * inside / (double)regions, "us");
  print_metric("cpu_us", 1e6 * cpu / (double)regions, "us");
  print_metric("period_us", 1e6 * took / (double)regions, "us");
  passed();
  return 0;
}
