// SPDX-License-Identifier: Apache-2.0
#include "measure/alternating_runs.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "insight/report/text.h"
#include "words/exit_codes.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

// From so many seconds on the user is told how long it takes.
constexpr double kLong = 3;
// Some kernels count processor time by ticks: a brief run may have had none.
constexpr double kLeastProcessorSeconds = 1e-6;

}  // namespace

void AlternatingRuns::show_progress(size_t done, size_t all, double once) const {
  const double left = once * static_cast<double>(all - done);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (once * static_cast<double>(all) < kLong || (!terminal && done != 0)) return;
  if (done == all) {
    std::fputs("\r\033[K", stderr);
    return;
  }
  std::fprintf(stderr, "%s%zu of %zu runs done, about %s left%s", terminal ? "\r\033[K" : "", done,
               all, insight::time_text(left).c_str(), terminal ? "" : "\n");
}

fs::path AlternatingRuns::expected_output(size_t base) const {
  return runs_.output().parent_path() / ("expected." + std::to_string(base));
}

// The first run of the program as it is tells what is expected.
std::string AlternatingRuns::check_output(const Side& side) {
  const fs::path expected = expected_output(side.base);
  std::error_code error;
  if (!fs::exists(expected, error)) {
    fs::rename(runs_.output(), expected, error);
    return error ? "cannot keep the output: " + error.message() : "";
  }
  const std::string difference = first_difference(expected, runs_.output());
  if (difference.empty()) return {};
  const Side& base = sides_[side.base];
  if (&side == &base) {
    return "the output differs from run to run on " + base.title() + ", so it cannot be compared";
  }
  return "the output on " + side.title() + " is not that on " + base.title() + ": " + difference;
}

std::string AlternatingRuns::run(Side& side) {
  const TimedRun run = runs_.run(side.variables);
  status_ = kNotServed;
  if (!run.problem.empty()) {
    if (run.signal == SIGINT) status_ = 128 + SIGINT;
    return "the program on " + side.title() + " " + run.problem;
  }
  side.seconds.push_back(run.seconds);
  side.processor_seconds.push_back(std::max(run.processor_seconds, kLeastProcessorSeconds));
  return same_output_ ? check_output(side) : "";
}

std::string AlternatingRuns::execute(double once) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const size_t count = sides_.size();
  const size_t all = count * static_cast<size_t>(rounds_);
  for (size_t done = 0; done < all; done++) {
    show_progress(done, all, once);
    // Another side is first in each round.
    const size_t round = done / count;
    if (std::string problem = run(sides_[(done + round) % count]); !problem.empty()) {
      return problem;
    }
    once =
        std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(done + 1);
  }
  show_progress(all, all, once);
  return {};
}

}  // namespace bobbin::cli
