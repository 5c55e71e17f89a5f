// SPDX-License-Identifier: Apache-2.0
// How many times as fast a program is on one side as on another, from a few runs of each.
#pragma once

#include <vector>

namespace bobbin::cli {

struct Speedup {
  double value = 0;
  // The 95 % interval; both 0: there are too few runs for one.
  double low = 0;
  double high = 0;

  bool has_interval() const { return high > 0; }
  bool surely_above_1() const { return low > 1; }
  bool surely_below_1() const { return has_interval() && high < 1; }
};

// With fewer runs of each side there is no interval.
inline constexpr int kLeastRuns = 4;

// The median of the ratios of all pairs of a run of one side and a run of the other (Hodges and
// Lehmann's estimator), with the interval that Mann and Whitney's test gives. That assumes nothing
// about how the times are distributed, but that they differ by a factor. None of the times is 0.
Speedup speedup(const std::vector<double>& before, const std::vector<double>& after);

double median(std::vector<double> values);

}  // namespace bobbin::cli
