// SPDX-License-Identifier: Apache-2.0
#include "words/near_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace bobbin::cli {
namespace {

// Levenshtein's distance.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min(substituted, std::min(row[j], row[j - 1]) + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  std::string_view nearest;
  // At most a third of the letters may differ: `run` is not similar to `env`.
  size_t least = word.size() / 3 + 1;
  for (const std::string& other : words) {
    const size_t distance = edit_distance(word, other);
    if (distance < least) {
      least = distance;
      nearest = other;
    }
  }
  return nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?";
}

}  // namespace bobbin::cli
