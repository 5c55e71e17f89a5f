// SPDX-License-Identifier: Apache-2.0
// Many regions of a few microseconds of work. This program is meant to be started twice at once.
#include <omp.h>

#include "common.h"

static const char kUsage[] =
    "small_regions [regions=200000] [work=5] [turns_per_us=0]\n"
    "`work` is the whole region's, in us, shared by its threads.\n"
    "Calibrates its work unless it is told turns_per_us.\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long regions = (long)arg_number(argc, argv, "regions", 200000);
  double work = arg_number(argc, argv, "work", 5);
  // Given as an argument when two copies run at once, because each would disturb the other's
  // calibration.
  double rate = arg_number(argc, argv, "turns_per_us", 0);
  if (rate <= 0) rate = turns_per_us();
  const int pieces = 16;
  long piece_turns = (long)(work * rate / pieces);

  long sum = 0;
  double start = seconds();
  for (long r = 0; r < regions; r++) {
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < pieces; i++) {
      work_turns(piece_turns);
      sum += 1;
    }
  }
  double took = seconds() - start;
  require(sum == regions * pieces, "every piece of work was done");
  print_metric("region_us", 1e6 * took / (double)regions, "us");
  passed();
  return 0;
}
