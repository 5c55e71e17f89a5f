// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "insight/report/site_keys.h"
#include "insight/report/spans/span.h"
#include "insight/report/text.h"

namespace bobbin::insight {
namespace {

constexpr size_t kMostLines = 20;
constexpr size_t kPlaceWidth = 25;
constexpr double kWorthALine = 0.001;  // of the critical path, or of the work
constexpr unsigned kMostProcessors = 1024;

std::string factor(double number) {
  char text[32];
  std::snprintf(text, sizeof text, number < 100 ? "%.1f" : "%.0f", number);
  return text;
}

void print_totals(std::string& out, const SpanFigures& process) {
  print(out, "\nwork and span of %.60s\n", process.command.c_str());
  print(out, "process %d, %s tasks, %s\n\n", process.process, grouped(process.tasks).c_str(),
        process.runtime.c_str());
  const auto row = [&](const char* title, const std::string& value, const char* is) {
    print(out, "%-26s%11s  %.41s\n", title, value.c_str(), is);
  };
  row("work", time_text(process.work), "on one processor, without the runtime");
  row("span", time_text(process.span), "the longest chain of parts");
  row("span with hand-overs", time_text(process.burdened_span()),
      (grouped(process.hand_overs) + " of them, " + time_text(process.hand_over) + " each here")
          .c_str());
  row("parallelism", factor(process.parallelism()), "work / span");
  if (process.in_mutex > 0) {
    row("in one critical section", time_text(process.in_mutex), process.mutex.text().c_str());
  }
}

void print_prediction(std::string& out, const SpanFigures& process) {
  std::string head;
  std::string most;
  std::string least;
  for (unsigned processors = 2; processors <= kMostProcessors; processors *= 2) {
    print(head, "%6u", processors);
    print(most, "%6s", factor(process.at_most(processors)).c_str());
    print(least, "%6s", factor(process.at_least(processors)).c_str());
  }
  print(out, "\n%-17s%s\n%-17s%s\n%-17s%s\n", "processors", head.c_str(), "speed-up at most",
        most.c_str(), "        at least", least.c_str());
}

void print_sites(std::string& out, const SpanFigures& process) {
  std::string rows;
  size_t lines = 0;
  for (const SpanSite& site : process.sites) {
    const bool worth = site.on_path > kWorthALine * process.span ||
                       site.work > kWorthALine * process.work || site.whole_span > 0;
    if (!worth || ++lines > kMostLines) continue;
    std::string parallelism;
    if (site.whole_span > 0) parallelism = factor(site.whole_work / site.whole_span);
    const std::string longest = site.longest > 0 ? time_text(site.longest) : "";
    const std::string_view kind = name_of(site.kind);
    print(rows, "%6.1f%%%7.1f%%%12s%7s%10s  %-9.*s%s\n", percent(site.on_path, process.span),
          percent(site.work, process.work), grouped(site.count).c_str(), parallelism.c_str(),
          longest.c_str(), static_cast<int>(kind.size()), kind.data(),
          site.known ? site.place.text_within(kPlaceWidth).c_str() : "");
  }
  print(out, "\n%7s%8s%12s%7s%10s  %-9s%s\n", "on path", "work", "how many", "paral.", "longest",
        "what", "where");
  out += rows;
  if (lines > kMostLines)
    print(out, "and %zu further places (--json tells them)\n", lines - kMostLines);
  if (!process.path_known)
    out += "the process did not end in order, so its longest chain is not known\n";
}

}  // namespace

std::string span_text(const SpanFigures& process) {
  std::string out;
  print_totals(out, process);
  print_prediction(out, process);
  print_sites(out, process);
  return out;
}

}  // namespace bobbin::insight
