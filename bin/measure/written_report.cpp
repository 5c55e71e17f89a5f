// SPDX-License-Identifier: Apache-2.0
#include "measure/written_report.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "files/output_file.h"
#include "insight/report/profiles/profile_json.h"
#include "insight/report/recording_file.h"
#include "insight/report/timeline/timeline_json.h"
#include "report_page.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

std::string json_of(const std::vector<insight::Timeline>& processes) {
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

std::vector<insight::Timeline> read_timelines(const fs::path& folder) {
  std::vector<insight::Timeline> processes;
  for (const fs::path& file : insight::recordings_in(folder)) {
    std::optional<insight::Timeline> process = insight::read_timeline(file, 0);
    if (process && process->slices() != 0) processes.push_back(std::move(*process));
  }
  return processes;
}

bool write_report(const std::string& file, const ReportFigures& figures, std::FILE* say_to) {
  const std::string page = page_of({{"%PROFILE%", insight::profile_json(figures.profiles)},
                                    {"%SPAN%", insight::span_json(figures.spans)},
                                    {"%TRACE%", json_of(figures.timelines)}});
  if (!write_file(file, page)) return false;
  std::fprintf(say_to, "%s has the report: open it in a browser\n", fs::absolute(file).c_str());
  return true;
}

}  // namespace bobbin::cli
