// SPDX-License-Identifier: Apache-2.0
// The page of `bobbin report` and `bobbin run --report`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "insight/report/profiles/profile.h"
#include "insight/report/spans/span.h"
#include "insight/report/timeline/timeline.h"

namespace bobbin::cli {

// What the page shows; it leaves out what is empty.
struct ReportFigures {
  std::vector<insight::ProcessFigures> profiles;
  std::vector<insight::SpanFigures> spans;
  std::vector<insight::Timeline> timelines;

  bool empty() const { return profiles.empty() && spans.empty() && timelines.empty(); }
};

// Of the processes that have used OpenMP.
std::vector<insight::Timeline> read_timelines(const std::filesystem::path& folder);

// Says where the page is, on `say_to`. False: it could not be written, and stderr has the reason.
bool write_report(const std::string& file, const ReportFigures& figures, std::FILE* say_to);

}  // namespace bobbin::cli
