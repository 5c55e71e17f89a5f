// SPDX-License-Identifier: Apache-2.0
#include "measure/speedup.h"

#include <algorithm>
#include <cstddef>

namespace bobbin::cli {
namespace {

constexpr double kTail = 0.025;

// Probabilities of Mann and Whitney's U, from 0 on, for n and m samples of one distribution.
// P(n, m, u) = n / (n + m) P(n - 1, m, u - m) + m / (n + m) P(n, m - 1, u).
std::vector<double> distribution_of_u(size_t n, size_t m) {
  std::vector<std::vector<double>> of(m + 1, {1.0});
  for (size_t i = 1; i <= n; i++) {
    for (size_t j = 1; j <= m; j++) {
      std::vector<double> made(i * j + 1, 0.0);
      const double first = static_cast<double>(i) / static_cast<double>(i + j);
      for (size_t u = 0; u < of[j].size(); u++) made[u + j] += first * of[j][u];
      for (size_t u = 0; u < of[j - 1].size(); u++) made[u] += (1 - first) * of[j - 1][u];
      of[j] = std::move(made);
    }
  }
  return of[m];
}

// How many of the sorted ratios lie outside of the interval at each end; below 0: there is none.
std::ptrdiff_t outside(size_t n, size_t m) {
  const std::vector<double> of = distribution_of_u(n, m);
  std::ptrdiff_t left_out = -1;
  double sum = 0;
  for (const double probability : of) {
    sum += probability;
    if (sum > kTail) break;
    left_out++;
  }
  return left_out;
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Speedup speedup(const std::vector<double>& before, const std::vector<double>& after) {
  std::vector<double> ratios;
  ratios.reserve(before.size() * after.size());
  for (const double one : before) {
    for (const double other : after) ratios.push_back(one / other);
  }
  std::sort(ratios.begin(), ratios.end());
  Speedup found;
  found.value = median(ratios);
  if (const std::ptrdiff_t left_out = outside(before.size(), after.size()); left_out >= 0) {
    found.low = ratios[static_cast<size_t>(left_out)];
    found.high = ratios[ratios.size() - 1 - static_cast<size_t>(left_out)];
  }
  return found;
}

}  // namespace bobbin::cli
