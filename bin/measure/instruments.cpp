// SPDX-License-Identifier: Apache-2.0
#include "measure/instruments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "files/output_file.h"
#include "files/temporary_folder.h"
#include "insight/record/layout.h"
#include "insight/report/profiles/profile.h"
#include "insight/report/profiles/profile_json.h"
#include "insight/report/profiles/profile_text.h"
#include "insight/report/recording_file.h"
#include "insight/report/spans/graph.h"
#include "insight/report/spans/span.h"
#include "insight/report/timeline/timeline.h"
#include "insight/report/timeline/timeline_json.h"
#include "insight/span/graph_layout.h"
#include "insight/trace/events.h"
#include "launch/launch_checks.h"
#include "measure/written_report.h"
#include "processes/attach.h"
#include "processes/child.h"
#include "words/exit_codes.h"
#include "words/wrong_words.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProfileLibrary = "libbobbin-profile.so";
constexpr const char* kSpanLibrary = "libbobbin-span.so";
constexpr const char* kTraceLibrary = "libbobbin-trace.so";

void say_nothing_recorded() {
  std::fputs(
      "bobbin: nothing was recorded: no process used OpenMP, or another tool took the place "
      "(OMP_TOOL_VERBOSE_INIT=stderr tells)\n",
      stderr);
}

// False: something could not be written.
template <class Figures>
bool report(const std::vector<Figures>& processes, std::string (*text)(const Figures&),
            std::string (*as_json)(const std::vector<Figures>&), const std::string& json,
            std::FILE* to) {
  if (processes.empty()) say_nothing_recorded();
  for (const Figures& process : processes) std::fputs(text(process).c_str(), to);
  return json.empty() || write_file(json, as_json(processes));
}

bool report_profile(const std::vector<insight::ProcessFigures>& processes, const std::string& json,
                    std::FILE* to) {
  return report(processes, insight::profile_text, insight::profile_json, json, to);
}

void report_on_page(std::vector<insight::ProcessFigures> processes, const std::string& file) {
  if (processes.empty()) return say_nothing_recorded();
  write_report(file, {.profiles = std::move(processes), .spans = {}, .timelines = {}}, stderr);
}

// False: it could not be written.
bool record_graph(const std::vector<insight::SpanFigures>& processes, const std::string& path) {
  const insight::SpanFigures* process = insight::process_with_graph(processes);
  if (process == nullptr) {
    std::fprintf(stderr, "bobbin: there is no task graph to write to %s\n", path.c_str());
    return false;
  }
  insight::GraphSize size;
  std::FILE* to = std::fopen(path.c_str(), "we");
  bool written = to != nullptr && insight::write_graph(*process, to, size);
  if (to != nullptr && std::fclose(to) != 0) written = false;
  if (!written) return cannot_write(path);
  std::fprintf(stderr, "bobbin: %s has the task graph of process %d, with %llu nodes\n",
               path.c_str(), process->process, static_cast<unsigned long long>(size.nodes));
  return true;
}

bool report_span(const fs::path& folder, int main, const std::string& json,
                 const std::string& graph, std::FILE* to) {
  const std::vector<insight::SpanFigures> processes = insight::read_spans(folder, main);
  const bool reported = report(processes, insight::span_text, insight::span_json, json, to);
  return (graph.empty() || record_graph(processes, graph)) && reported;
}

// What the user must know to read the timeline.
void say_what_is_missing(const insight::Timeline& process) {
  if (const uint64_t lost = process.overwritten(); lost != 0) {
    std::fprintf(stderr,
                 "bobbin: process %d: the buffers were too small for all events, and the oldest "
                 "%llu are missing (--trace-buffer makes them larger)\n",
                 process.process, static_cast<unsigned long long>(lost));
  }
  if (process.threads_lost != 0) {
    std::fprintf(stderr, "bobbin: process %d: %u threads are missing, because there was no room\n",
                 process.process, process.threads_lost);
  }
}

// Whether there are slices, however long ago.
bool has_slices(const fs::path& folder) {
  const std::vector<fs::path> files = insight::recordings_in(folder);
  return std::any_of(files.begin(), files.end(), [](const fs::path& file) {
    const std::optional<insight::Timeline> process = insight::read_timeline(file, 0);
    return process && process->slices() != 0;
  });
}

void say_nothing_traced(const fs::path& folder, double last_seconds) {
  if (last_seconds == 0 || !has_slices(folder)) return say_nothing_recorded();
  std::fprintf(stderr,
               "bobbin: nothing happened with OpenMP in the last %g s of the program, only before: "
               "a larger --trace-last shows it\n",
               last_seconds);
}

// False: it could not be written.
bool write_timeline(const fs::path& folder, const std::string& path, double last_seconds) {
  constexpr double kNsPerSecond = 1e9;
  const auto last_ns = static_cast<uint64_t>(last_seconds * kNsPerSecond);
  std::vector<insight::Timeline> processes;
  size_t slices = 0;
  size_t threads = 0;
  for (const fs::path& file : insight::recordings_in(folder)) {
    std::optional<insight::Timeline> process = insight::read_timeline(file, last_ns);
    if (!process || process->slices() == 0) continue;
    say_what_is_missing(*process);
    slices += process->slices();
    threads += process->threads.size();
    processes.push_back(std::move(*process));
  }
  if (processes.empty()) say_nothing_traced(folder, last_seconds);
  std::FILE* to = std::fopen(path.c_str(), "we");
  bool written = to != nullptr && insight::write_timeline_json(processes, to);
  if (to != nullptr && std::fclose(to) != 0) written = false;
  if (!written) return cannot_write(path);
  std::fprintf(stderr,
               "bobbin: %s has %zu slices of %zu threads; open it on https://ui.perfetto.dev\n",
               path.c_str(), slices, threads);
  return true;
}

std::vector<std::pair<std::string, std::string>> tool_variables(const Installation& installation,
                                                                const char* own,
                                                                const std::string& folder) {
  std::string libraries = installation.names / own;
  // The first tool that starts is the only one. The user's is for programs without ours.
  if (const char* present = std::getenv("OMP_TOOL_LIBRARIES"); present != nullptr && *present)
    libraries += std::string(":") + present;
  return {{"OMP_TOOL", "enabled"},
          {"OMP_TOOL_LIBRARIES", libraries},
          {insight::kFolderVariable, folder}};
}

CLI::Option* add_json_option(CLI::App& command, std::string& json) {
  return command.add_option("--json", json, "write all figures to a file, too")->type_name("FILE");
}

}  // namespace

void Instruments::add_to(CLI::App& command) {
  const char* group = "Observation";
  command
      .add_flag("--profile", profile_,
                "tell on stderr, when the program has ended, where its threads' time went")
      ->group(group);
  command
      .add_flag("--report{report.html}", report_,
                "write a page about the same: report.html, or the FILE of --report=FILE")
      ->group(group);
  command
      .add_flag("--span", span_,
                "run it on one processor, and tell its work, its span, and the speed-ups to expect")
      ->group(group);
  add_json_option(command, json_)->group(group);
  command.add_option("--record", record_, "with --span: write the task graph")
      ->type_name("GRAPH")
      ->group(group);
  command
      .add_option("--trace", trace_, "write a timeline of the threads, to be opened in Perfetto")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--trace-last", trace_last_, "with --trace: only the last seconds")
      ->type_name("SECONDS")
      ->check(check_seconds)
      ->group(group);
  command
      .add_option("--trace-buffer", trace_buffer_,
                  "with --trace: memory for events, of each thread")
      ->type_name("KIB")
      ->check(CLI::Range(insight::kLeastRing / 1024, insight::kMostRing / 1024).description(""))
      ->group(group);
}

std::string Instruments::problem() const {
  const int chosen =
      (profile_ ? 1 : 0) + (report_.empty() ? 0 : 1) + (span_ ? 1 : 0) + (trace_.empty() ? 0 : 1);
  if (chosen > 1) return "--profile, --report, --span and --trace exclude each other";
  if (!json_.empty() && !profile_ && !span_) return "--json needs --profile or --span";
  if (!record_.empty() && !span_) return "--record needs --span";
  if (trace_.empty() && trace_last_ != 0) return "--trace-last needs --trace";
  if (trace_.empty() && trace_buffer_ != 0) return "--trace-buffer needs --trace";
  return "";
}

std::vector<std::pair<std::string, std::string>> Instruments::variables(
    const Installation& installation, const std::string& folder) const {
  using insight::Instrument;
  const Instrument instrument = !trace_.empty() ? Instrument::Trace
                                : span_         ? Instrument::Span
                                                : Instrument::Profile;
  auto made = instrument_variables(installation, instrument, folder);
  if (!record_.empty()) made.emplace_back(insight::kGraphVariable, "yes");
  if (trace_buffer_ != 0)
    made.emplace_back(insight::kBufferVariable, std::to_string(trace_buffer_));
  return made;
}

int Instruments::observe(const Installation& installation, const std::string& program,
                         const std::function<int()>& execute) const {
  for (const std::string& file : {json_, record_, report_, trace_}) {
    if (const std::string problem = output_problem(file); !problem.empty()) {
      std::fprintf(stderr, "bobbin run: %s\n", problem.c_str());
      return kOwnFailure;
    }
  }
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    std::fprintf(stderr, "bobbin run: cannot make a folder for the records: %s\n",
                 std::strerror(errno));
    return kOwnFailure;
  }
  for (const auto& [name, value] : variables(installation, folder.path()))
    setenv(name.c_str(), value.c_str(), 1);
  const ChildEnd end = run_as_child(execute);
  if (end.start_error != 0) {
    std::fprintf(stderr, "bobbin run: cannot start %s: %s\n", program.c_str(),
                 std::strerror(end.start_error));
    return end.start_error == ENOENT ? kProgramMissing : kCannotRun;
  }
  insight::note_end_of_process(folder.path(), end.process);
  if (profile_) {
    report_profile(insight::read_profiles(folder.path(), end.process), json_, stderr);
  } else if (!report_.empty()) {
    report_on_page(insight::read_profiles(folder.path(), end.process), report_);
  } else if (span_) {
    report_span(folder.path(), end.process, json_, record_, stderr);
  } else {
    write_timeline(folder.path(), trace_, trace_last_);
  }
  return exit_code_of(end.wait_status);
}

std::vector<std::pair<std::string, std::string>> instrument_variables(
    const Installation& installation, insight::Instrument instrument, const std::string& folder) {
  using insight::Instrument;
  const char* own = instrument == Instrument::Profile ? kProfileLibrary
                    : instrument == Instrument::Span  ? kSpanLibrary
                                                      : kTraceLibrary;
  auto made = tool_variables(installation, own, folder);
  if (instrument == Instrument::Span) {
    made.emplace_back("BOBBIN_WORKERS", "1");
    // The way from one continuation to the next would count as work of the region around them.
    const char* policy = std::getenv("BOBBIN_TASK_POLICY");
    if (policy != nullptr && std::strstr(policy, "continuation") != nullptr)
      made.emplace_back("BOBBIN_TASK_POLICY", std::string(policy) + ",creation=adaptive");
  }
  return made;
}

RegionCount count_regions(const std::vector<insight::ProcessFigures>& processes) {
  RegionCount found;
  for (const insight::ProcessFigures& one : processes) {
    found.regions += one.total().came[static_cast<unsigned>(insight::SiteKind::Region)];
    found.threads += one.threads.size();
  }
  return found;
}

void ProfileCommand::add_to(CLI::App& command) {
  CLI::Option* folder =
      command.add_option("folder", folder_, "where libbobbin-profile.so has recorded")
          ->type_name("DIR")
          ->check(check_recordings);
  CLI::Option* process = command.add_option("--pid", process_, "look at a process that runs")
                             ->type_name("PID")
                             ->check(check_process)
                             ->excludes(folder);
  command.add_option("--seconds", seconds_, "with --pid: for so long [10]")
      ->type_name("SECONDS")
      ->check(check_seconds)
      ->needs(process);
  add_json_option(command, json_);
}

int ProfileCommand::execute() const {
  if (process_ != 0) return profile_process(process_, seconds_, json_);
  if (folder_.empty()) return misused("profile", "of what? A PROGRAM, --pid PID, or a DIR");
  if (insight::recordings_in(folder_).empty()) {
    std::fprintf(stderr,
                 "bobbin profile: %s has no recordings. No process has used OpenMP, or its runtime "
                 "has no tools interface: libgomp has none. To profile on Bobbin: bobbin profile "
                 "PROGRAM\n",
                 folder_.c_str());
    return kOwnFailure;
  }
  const std::vector<insight::ProcessFigures> processes = insight::read_profiles(folder_, 0);
  if (processes.empty()) {
    std::fprintf(
        stderr,
        "bobbin profile: %s has no recording that tells anything: the processes have not "
        "used OpenMP, or the files are damaged, of another instrument, or another user's\n",
        folder_.c_str());
    return kOwnFailure;
  }
  return report_profile(processes, json_, stdout) ? kSuccess : kOwnFailure;
}

}  // namespace bobbin::cli
