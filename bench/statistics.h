// SPDX-License-Identifier: Apache-2.0
// Figures that a program reports about its samples.
#pragma once

#include <math.h>
#include <stdlib.h>

struct summary {
  double min, q1, median, q3, max, mean, deviation;
};

static inline int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// The interpolated value below which the share `p` of the sorted samples lies.
static inline double quantile(const double* sorted, int count, double p) {
  double at = p * (count - 1);
  int below = (int)at;
  int above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static inline struct summary summarise(double* samples, int count) {
  qsort(samples, (size_t)count, sizeof *samples, by_size);
  struct summary all = {.min = samples[0],
                        .q1 = quantile(samples, count, 0.25),
                        .median = quantile(samples, count, 0.5),
                        .q3 = quantile(samples, count, 0.75),
                        .max = samples[count - 1]};
  for (int i = 0; i < count; i++) all.mean += samples[i] / count;
  for (int i = 0; i < count; i++) all.deviation += pow(samples[i] - all.mean, 2);
  all.deviation = count > 1 ? sqrt(all.deviation / (count - 1)) : 0;
  return all;
}
