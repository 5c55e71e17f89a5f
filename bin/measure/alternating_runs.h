// SPDX-License-Identifier: Apache-2.0
// The timed runs of `bobbin compare`: the sides take turns, so that what else happens on the
// machine meets all of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "measure/comparison.h"
#include "measure/timed_run.h"

namespace bobbin::cli {

class AlternatingRuns {
 public:
  AlternatingRuns(const TimedRuns& runs, std::vector<Side>& sides, int rounds, bool same_output)
      : runs_(runs), sides_(sides), rounds_(rounds), same_output_(same_output) {}

  // Returns why it has ended early; empty: it has not. `once`: seconds that a run may take.
  std::string execute(double once);
  // The exit status after an early end.
  int status() const { return status_; }

 private:
  std::string run(Side& side);
  std::string check_output(const Side& side);
  void show_progress(size_t done, size_t all, double once) const;
  std::filesystem::path expected_output(size_t base) const;

  const TimedRuns& runs_;
  std::vector<Side>& sides_;
  int rounds_;
  bool same_output_;
  int status_ = 0;
};

}  // namespace bobbin::cli
