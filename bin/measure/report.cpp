// SPDX-License-Identifier: Apache-2.0
#include "measure/report.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <system_error>

#include "files/output_file.h"
#include "launch/launch.h"
#include "measure/instruments.h"
#include "measure/recorded_run.h"
#include "measure/timed_run.h"
#include "measure/written_report.h"
#include "words/exit_codes.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCommand = "bobbin report";

int fail(const std::string& problem, int status) {
  std::fprintf(stderr, "%s: %s\n", kCommand, problem.c_str());
  return status;
}

}  // namespace

void ReportCommand::add_to(CLI::App& command) {
  command.add_option("-o,--output", output_, "the page [report.html]")->type_name("FILE");
}

int ReportCommand::report_on(const fs::path& folder) const {
  if (const std::string problem = output_problem(output_); !problem.empty()) {
    return fail(problem, kOwnFailure);
  }
  const ReportFigures figures = {.profiles = insight::read_profiles(folder, 0),
                                 .spans = insight::read_spans(folder, 0),
                                 .timelines = read_timelines(folder)};
  if (figures.empty()) {
    return fail(folder.string() +
                    " has no recording that tells anything: the processes have not used OpenMP, "
                    "or their runtime has no tools interface, as libgomp has none",
                kOwnFailure);
  }
  return write_report(output_, figures, stdout) ? kSuccess : kOwnFailure;
}

int ReportCommand::execute(const std::vector<std::string>& command) const {
  std::error_code error;
  if (command.size() == 1 && fs::is_directory(command.front(), error)) {
    return report_on(command.front());
  }
  const Launch launch = prepare_launch(kCommand, command);
  if (launch.status != kSuccess) return launch.status;
  for (const std::string& problem : {input_problem(), output_problem(output_)}) {
    if (!problem.empty()) return fail(problem, kOwnFailure);
  }
  std::fprintf(stderr, "%s: running it three times: for its profile, its time line and its span\n",
               kCommand);
  using insight::Instrument;
  const RecordedRun profile(launch, command, Instrument::Profile);
  if (!profile.problem().empty()) {
    return fail(launch.program.string() + " " + profile.problem(), kNotServed);
  }
  ReportFigures figures;
  figures.profiles = insight::read_profiles(profile.folder(), profile.process());
  if (figures.empty() || count_regions(figures.profiles).regions == 0) {
    return fail(launch.program.string() + " has begun no parallel region", kNotServed);
  }
  const RecordedRun trace(launch, command, Instrument::Trace);
  const RecordedRun span(launch, command, Instrument::Span);
  figures.timelines = read_timelines(trace.folder());
  figures.spans = insight::read_spans(span.folder(), span.process());
  return write_report(output_, figures, stdout) ? kSuccess : kOwnFailure;
}

}  // namespace bobbin::cli
