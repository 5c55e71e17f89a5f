// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "exit_codes.h"
#include "insight/report/profile.h"
#include "insight/report/profile_json.h"
#include "insight/report/recording_file.h"
#include "insight/report/span.h"
#include "insight/report/timeline.h"
#include "insight/report/timeline_json.h"
#include "instruments.h"
#include "launch.h"
#include "output_file.h"
#include "recorded_run.h"
#include "report_page.h"
#include "timed_run.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCommand = "bobbin report";

int fail(const std::string& problem, int status) {
  std::fprintf(stderr, "%s: %s\n", kCommand, problem.c_str());
  return status;
}

std::string timeline_of(const fs::path& folder) {
  std::vector<insight::Timeline> processes;
  for (const fs::path& file : insight::recordings_in(folder)) {
    std::optional<insight::Timeline> process = insight::read_timeline(file, 0);
    if (process && process->slices() != 0) processes.push_back(std::move(*process));
  }
  char* text = nullptr;
  size_t size = 0;
  std::FILE* to = open_memstream(&text, &size);
  if (to == nullptr) return {};
  insight::write_timeline_json(processes, to);
  std::fclose(to);
  std::string made(text, size);
  std::free(text);
  return made;
}

// Within a script element "</" and "<!--" have a meaning. In JSON they can only be parts of
// strings.
std::string for_script(const std::string& json) {
  std::string made;
  made.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      made += "\\u003c";
    } else {
      made += c;
    }
  }
  return made;
}

std::string page_of(const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string page;
  std::string_view rest = kReportPage;
  for (const auto& [mark, json] : parts) {
    const size_t at = rest.find(mark);
    page += rest.substr(0, at);
    page += for_script(json);
    rest.remove_prefix(at + mark.size());
  }
  return page += rest;
}

}  // namespace

void ReportCommand::add_to(CLI::App& command) {
  command.add_option("-o,--output", output_, "the page [report.html]")->type_name("FILE");
}

int ReportCommand::execute(const std::vector<std::string>& command) const {
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
  const auto figures = insight::read_profiles(profile.folder(), profile.process());
  if (figures.empty() || count_regions(figures).regions == 0) {
    return fail(launch.program.string() + " has begun no parallel region", kNotServed);
  }
  const RecordedRun trace(launch, command, Instrument::Trace);
  const RecordedRun span(launch, command, Instrument::Span);
  const std::string page =
      page_of({{"%PROFILE%", insight::profile_json(figures)},
               {"%SPAN%", insight::span_json(insight::read_spans(span.folder(), span.process()))},
               {"%TRACE%", timeline_of(trace.folder())}});
  if (!write_file(output_, page)) return kOwnFailure;
  std::printf("%s has the report: open it in a browser\n", fs::absolute(output_).c_str());
  return kSuccess;
}

}  // namespace bobbin::cli
