// SPDX-License-Identifier: Apache-2.0
// A C++ library that opens regions while it is being loaded and while it is being unloaded.
#include <omp.h>

#include <cstdlib>

namespace {

int run_region() {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum += 1;
  return sum;
}

struct Static {
  Static() {
    if (run_region() < 1) std::abort();
  }
  ~Static() {
    if (run_region() < 1) std::abort();
  }
};

Static instance;

}  // namespace

extern "C" int dl_work(int) { return run_region() < 1; }
