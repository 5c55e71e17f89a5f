// SPDX-License-Identifier: Apache-2.0
#include "processes/attach.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "files/output_file.h"
#include "insight/live/process/layout.h"
#include "insight/live/sampler.h"
#include "insight/report/profiles/profile_json.h"
#include "insight/report/profiles/profile_text.h"
#include "processes/tracing.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Not a divisor of what programs do 100 or 1000 times a second.
constexpr std::chrono::microseconds kPeriod{4700};

volatile std::sig_atomic_t interrupted = 0;

int fail(const std::string& reason, int status) {
  std::fprintf(stderr, "bobbin profile: %s\n", reason.c_str());
  return status;
}

// Null: the process executes another program since refusal_of() looked at it.
std::unique_ptr<insight::Sampler> sampler_of(int process) {
  try {
    return std::make_unique<insight::Sampler>(process);
  } catch (const insight::StillLoading&) {
    return nullptr;
  }
}

void look_for(insight::Sampler& sampler, double seconds) {
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end =
      begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  Clock::time_point last = begin;
  while (last < end && interrupted == 0) {
    std::this_thread::sleep_until(last + kPeriod);
    const Clock::time_point now = Clock::now();
    if (!sampler.look(std::chrono::duration<double>(now - last).count())) return;
    last = now;
  }
}

}  // namespace

int profile_process(int process, double seconds, const std::string& json) {
  if (const std::string problem = output_problem(json); !problem.empty()) {
    return fail(problem, kOwnFailure);
  }
  std::unique_ptr<insight::Sampler> sampler;
  while (!sampler) {
    if (const std::optional<Refusal> refusal = refusal_of(process)) {
      return fail(refusal->reason, refusal->status);
    }
    sampler = sampler_of(process);
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::fprintf(stderr, "bobbin profile: looking at process %d for %g s (Ctrl-C: report now)\n",
               process, seconds);
  look_for(*sampler, seconds);
  const insight::ProcessFigures figures = sampler->figures();
  if (figures.threads.empty()) {
    return fail(std::to_string(process) + ": no thread of it has used OpenMP so far", kNotServed);
  }
  std::fputs(insight::profile_text(figures).c_str(), stdout);
  return json.empty() || write_file(json, insight::profile_json({figures})) ? kSuccess
                                                                            : kOwnFailure;
}

}  // namespace bobbin::cli
