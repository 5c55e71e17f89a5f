// SPDX-License-Identifier: Apache-2.0
#include "measure/compare.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "files/loaded_runtimes.h"
#include "files/output_file.h"
#include "files/temporary_folder.h"
#include "insight/report/profiles/profile.h"
#include "launch/launch_checks.h"
#include "measure/alternating_runs.h"
#include "measure/comparison.h"
#include "measure/instruments.h"
#include "measure/recorded_run.h"
#include "measure/timed_run.h"
#include "words/exit_codes.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kThreads = "OMP_NUM_THREADS";
constexpr const char* kCommand = "bobbin compare";

int fail(const std::string& problem, int status = kNotServed) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  // Instead of what is shown of the progress.
  std::fprintf(stderr, "%s%s: %s\n", terminal ? "\r\033[K" : "", kCommand, problem.c_str());
  return status;
}

std::string check_setting(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals != std::string::npos && equals != 0) return {};
  return "'" + text + "' is not NAME=VALUE";
}

const char* title_of(Vendor vendor) {
  switch (vendor) {
    case Vendor::Gnu:
      return "libgomp";
    case Vendor::Llvm:
      return "libomp";
    case Vendor::Intel:
      return "libiomp5";
    default:
      return "";
  }
}

std::string names_of(const std::map<fs::path, Vendor>& libraries) {
  std::set<std::string> names;
  for (const auto& [path, vendor] : libraries) names.insert(title_of(vendor));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

std::vector<std::string> parts(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) found.push_back(part);
  if (found.empty()) found.emplace_back();
  return found;
}

// Other runtimes do not read Bobbin's own variables.
bool is_own_setting(const std::string& setting) { return setting.starts_with("BOBBIN_"); }

class Sides {
 public:
  Sides(std::string usual, std::string preload)
      : usual_(std::move(usual)), preload_(std::move(preload)) {}

  void add_all(const std::string& threads, const std::vector<std::string>& settings) {
    const size_t base = made_.size();
    add(base, false, threads, "");
    add(base, true, threads, "");
    for (const std::string& setting : settings) {
      if (!is_own_setting(setting)) add(base, false, threads, setting);
      add(base, true, threads, setting);
    }
  }
  std::vector<Side> all() && { return std::move(made_); }

 private:
  void add(size_t base, bool on_bobbin, const std::string& threads, const std::string& setting) {
    Side side;
    side.base = base;
    side.on_bobbin = on_bobbin;
    side.threads = threads;
    side.name = (on_bobbin ? "Bobbin" : usual_) + (setting.empty() ? "" : " with " + setting);
    if (on_bobbin) side.variables.emplace_back("LD_PRELOAD", preload_);
    if (!threads.empty()) side.variables.emplace_back(kThreads, threads);
    if (const size_t equals = setting.find('='); equals != std::string::npos) {
      side.variables.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    made_.push_back(std::move(side));
  }

  std::string usual_;
  std::string preload_;
  std::vector<Side> made_;
};

// The first run on each runtime: it warms the caches, and shows what the program does.
class FirstRuns {
 public:
  FirstRuns(const Launch& launch, const TimedRuns& runs, Comparison& comparison)
      : launch_(launch), runs_(runs), comparison_(comparison) {}

  // Returns an exit status.
  int execute();
  // Of the runtimes that the program loads.
  const std::string& usual() const { return usual_; }
  double seconds() const { return seconds_; }

 private:
  int as_it_is();
  int on_bobbin();
  std::string program() const { return launch_.program.string(); }

  const Launch& launch_;
  const TimedRuns& runs_;
  Comparison& comparison_;
  std::string usual_;
  double seconds_ = 0;
};

int FirstRuns::as_it_is() {
  const TemporaryFolder folder;
  const TimedRun run = runs_.run(variables_to_record_loading(folder.path()));
  seconds_ = run.seconds;
  if (!run.problem.empty()) return fail(program() + " as it is " + run.problem);
  const std::map<fs::path, Vendor> loaded = loaded_runtimes(folder.path());
  if (loaded.empty()) {
    return fail(program() +
                " has loaded no OpenMP runtime: Bobbin changes nothing. If it should use OpenMP, "
                "see bobbin doctor");
  }
  for (const auto& [path, vendor] : loaded) {
    if (vendor == Vendor::Bobbin) {
      return fail(program() + " runs on Bobbin by itself: it has loaded " + path.string());
    }
    comparison_.libraries.push_back(path);
  }
  usual_ = names_of(loaded);
  return kSuccess;
}

int FirstRuns::on_bobbin() {
  const RecordedRun run(launch_, comparison_.command, insight::Instrument::Profile);
  if (!run.problem().empty()) {
    return fail(program() + " on Bobbin " + run.problem() + ", and not on " + usual_);
  }
  const RegionCount found = count_regions(insight::read_profiles(run.folder(), run.process()));
  if (found.regions == 0) {
    return fail(program() + " has loaded " + usual_ +
                ", and has begun no parallel region: Bobbin changes nothing");
  }
  comparison_.regions = found.regions;
  comparison_.threads = found.threads;
  return kSuccess;
}

int FirstRuns::execute() {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (terminal) std::fputs("running it once on each runtime", stderr);
  int status = as_it_is();
  if (status == kSuccess) status = on_bobbin();
  if (terminal && status == kSuccess) std::fputs("\r\033[K", stderr);
  return status;
}

}  // namespace

void CompareCommand::add_to(CLI::App& command) {
  constexpr int kMostRuns = 1000;
  command.add_option("-r,--runs", runs_, "timed runs of each side [5]")
      ->type_name("N")
      ->check(CLI::Range(1, kMostRuns).description(""));
  command.add_option("-n,--threads", threads_, "numbers of threads to compare with")
      ->type_name("N[,M...]")
      ->check(check_thread_list);
  command
      .add_option("--env", settings_, "compare with this variable, too; may be given several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(check_setting);
  command.add_flag("--same-output", same_output_,
                   "fail if the program writes something else on stdout on one side");
  command.add_option("--json", json_, "write all times to a file, too")->type_name("FILE");
}

int CompareCommand::execute(const std::vector<std::string>& command) const {
  const Launch launch = prepare_launch(kCommand, command);
  if (launch.status != kSuccess) return launch.status;
  if (const std::string problem = input_problem(); !problem.empty()) {
    return fail(problem, kOwnFailure);
  }
  if (const std::string problem = output_problem(json_); !problem.empty()) {
    return fail(problem, kOwnFailure);
  }
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    return fail(std::string("cannot make a folder for the output: ") + std::strerror(errno),
                kOwnFailure);
  }
  Comparison comparison;
  comparison.command = command;
  const TimedRuns runs(launch.program, command, folder.path());
  FirstRuns first(launch, runs, comparison);
  if (const int status = first.execute(); status != kSuccess) return status;

  Sides sides(first.usual(), launch.preload());
  for (const std::string& threads : parts(threads_)) sides.add_all(threads, settings_);
  comparison.sides = std::move(sides).all();
  AlternatingRuns alternating(runs, comparison.sides, runs_, same_output_);
  if (const std::string problem = alternating.execute(first.seconds()); !problem.empty()) {
    return fail(problem, alternating.status());
  }
  std::fputs(comparison_text(comparison).c_str(), stdout);
  return json_.empty() || write_file(json_, comparison_json(comparison)) ? kSuccess : kOwnFailure;
}

}  // namespace bobbin::cli
