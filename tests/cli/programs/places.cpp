// SPDX-License-Identifier: Apache-2.0
// Constructs at places that are hard to tell. A comment `// NAME` ends the line of a directive or
// of a call that must be told.
#include <unistd.h>

#include <vector>

#define NOINLINE [[gnu::noinline]]

// Its last call is the region's, and may be a jump.
NOINLINE static void ends_in_region() {
#pragma omp parallel num_threads(2)  // tail
  usleep(2000);
}

NOINLINE static void nested() {
#pragma omp parallel num_threads(2)
  {
    usleep(2000);
#pragma omp parallel num_threads(2)  // nested tail
    usleep(2000);
  }
}

// The arguments of the call for the loop are those of size(), which is inlined from a header.
NOINLINE static double sum(const std::vector<double>& values) {
  double sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(+ : sum) schedule(guided)  // loop
    for (size_t i = 0; i < values.size(); i++) {     // loop's head
      sum += values[i];
    }
  }
  return sum;
}

int main() {
  ends_in_region();
  nested();
  return sum(std::vector<double>(1000, 1.0)) == 1000 ? 0 : 1;
}
