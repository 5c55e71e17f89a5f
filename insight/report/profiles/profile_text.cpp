// SPDX-License-Identifier: Apache-2.0
#include "insight/report/profiles/profile_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "insight/report/profiles/python_text.h"
#include "insight/report/site_keys.h"
#include "insight/report/text.h"

namespace bobbin::insight {
namespace {

// Columns for single threads; the threads that do not fit share one.
constexpr size_t kThreadColumns = 5;
constexpr size_t kMostLines = 20;
constexpr size_t kPlaceWidth = 26;
constexpr size_t kFunctionWidth = 50;
constexpr double kWorthALine = 0.0005;  // of the time of all threads
constexpr double kLongStartUp = 0.05;   // of the life of the process
constexpr double kUndisturbed = 0.9;    // of the time had a processor

// The threads of the table's columns: the first ones, and the sum of the others.
std::vector<ThreadFigures> columns_of(const ProcessFigures& process) {
  std::vector<ThreadFigures> columns = process.threads;
  if (columns.size() <= kThreadColumns) return columns;
  ThreadFigures others;
  for (size_t i = kThreadColumns - 1; i < columns.size(); i++) others.add(columns[i]);
  columns.resize(kThreadColumns - 1);
  columns.push_back(others);
  return columns;
}

void print_head(std::string& out, const ProcessFigures& process) {
  constexpr size_t kWidth = 60;
  std::string command = process.command;
  if (command.size() > kWidth) command = command.substr(0, kWidth - 3) + "...";
  print(out, "\nprofile of %s\n", command.c_str());
  print(out, "process %d, %s%s, %zu thread%s, %s\n", process.process,
        time_text(process.seconds).c_str(), process.ended_in_order ? "" : " until its last event",
        process.threads.size(), process.threads.size() == 1 ? "" : "s", process.runtime.c_str());
  if (process.samples != 0)
    print(out, "looked at %s times from outside, so shares below a few %% are rough\n",
          grouped(process.samples).c_str());
  if (process.threads_lost != 0)
    print(out, "%u further threads found no room and are left out\n", process.threads_lost);
  if (process.sites_lost != 0) out += "there are more places in the source than are told apart\n";
}

void print_activities(std::string& out, const ProcessFigures& process) {
  const ThreadFigures total = process.total();
  const std::vector<ThreadFigures> columns = columns_of(process);
  const bool sums_others = columns.size() < process.threads.size();
  print(out, "\n%-24s%11s%8s", "", "all threads", "share");
  for (size_t i = 0; i < columns.size(); i++) {
    const bool others = sums_others && i + 1 == columns.size();
    print(out, "%7s", others ? "others" : ("T" + std::to_string(i)).c_str());
  }
  out += "\n";
  const auto row = [&](std::string_view title, auto&& of) {
    if (of(total) <= 0) return;
    print(out, "%-24.*s%11s%7.1f%%", static_cast<int>(title.size()), title.data(),
          time_text(of(total)).c_str(), percent(of(total), total.seconds));
    for (const ThreadFigures& thread : columns)
      print(out, "%6.1f%%", percent(of(thread), thread.seconds));
    out += "\n";
  };
  for (const Activity& activity : activities()) {
    row(activity.title, [&](const ThreadFigures& thread) { return thread.spent_on(activity); });
  }
  row("all", [](const ThreadFigures& thread) { return thread.seconds; });
  print(out, "imbalance of the work in regions: %.1f%%\n", 100 * process.imbalance());
  if (process.start_up > kLongStartUp * process.seconds) {
    print(out, "start-up: the first region began after %s\n", time_text(process.start_up).c_str());
  }
  if (const double share = process.on_processors(); share < kUndisturbed) {
    print(out, "threads that did not wait had a processor for %.0f%% of that time\n", 100 * share);
  }
}

// What there is so many of, and what one of them takes of the threads' time.
void print_counts(std::string& out, const ProcessFigures& process) {
  const ThreadFigures total = process.total();
  const auto came = [&](SiteKind kind) { return total.came[static_cast<unsigned>(kind)]; };
  const auto spent = [&](SiteKind kind) { return total.spent[static_cast<unsigned>(kind)]; };
  const auto counted = [&](Count count) { return total.counts[static_cast<unsigned>(count)]; };
  std::string rows;
  const auto row = [&](const char* title, uint64_t count, double seconds) {
    if (count == 0) return;
    print(rows, "%-24s%15s", title, grouped(count).c_str());
    if (seconds > 0) {
      const double each = seconds / static_cast<double>(count);
      print(
          rows, "%12s%15s", time_text(each).c_str(),
          grouped(static_cast<uint64_t>(std::llround(each * 1e9 * process.ticks_per_ns))).c_str());
    }
    rows += "\n";
  };
  const double none = 0;
  row("regions", came(SiteKind::Region), spent(SiteKind::Fork));
  row("loops, by threads", came(SiteKind::Loop), none);
  row("chunks", counted(Count::Chunks), none);
  row("tasks", counted(Count::TasksMade), spent(SiteKind::Task));
  row("  undeferred", counted(Count::TasksUndeferred), none);
  row("  executed in place", counted(Count::TasksInPlace), none);
  row("  deferred", total.deferred(), spent(SiteKind::TaskCreation));
  row("  begun elsewhere", counted(Count::TasksElsewhere), none);
  row("  moves of begun ones", counted(Count::TasksMoved), none);
  row("  cancelled", counted(Count::TasksCancelled), none);
  row("  with dependences", counted(Count::TasksDependent), spent(SiteKind::DependenceCheck));
  row("dependence releases", came(SiteKind::DependenceRelease), spent(SiteKind::DependenceRelease));
  row("largest queue", total.largest_queue, none);
  row("steals tried", counted(Count::StealsTried), none);
  row("steals won", counted(Count::StealsWon), none);
  row("  within a core", counted(Count::StealsInCore), none);
  row("  within a cache", counted(Count::StealsInCache), none);
  row("  within a NUMA node", counted(Count::StealsInNode), none);
  row("  within a package", counted(Count::StealsInPackage), none);
  row("  farther", counted(Count::StealsInMachine), none);
  row("tasks stolen", counted(Count::TasksStolen), none);
  row("barriers, by threads", came(SiteKind::Barrier), spent(SiteKind::Barrier));
  row("taskwaits", came(SiteKind::Taskwait), spent(SiteKind::Taskwait));
  row("taskgroups", came(SiteKind::Taskgroup), spent(SiteKind::Taskgroup));
  row("critical sections", came(SiteKind::Critical), spent(SiteKind::Critical));
  row("locks set", came(SiteKind::Lock), spent(SiteKind::Lock));
  row("ordered regions", came(SiteKind::Ordered), spent(SiteKind::Ordered));
  row("stacks of threads", process.usage.stacks, none);
  row("switches of threads", process.usage.switches, none);
  row("kernel threads begun", process.usage.helpers, none);
  row("spare workers", process.usage.spares, none);
  row("bytes for tasks", process.usage.descriptor_bytes, none);
  if (rows.empty()) return;
  print(out, "\n%-24s%15s%12s%15s\n", "", "how many", "time each", "cycles each");
  out += rows;
}

void print_sites(std::string& out, const ProcessFigures& process) {
  const double whole = process.total().seconds;
  std::string rows;
  size_t lines = 0;
  size_t left_out = 0;
  for (const SiteFigures& site : process.sites) {
    if (!site.known || site.seconds < kWorthALine * whole) continue;
    if (++lines > kMostLines) {
      left_out++;
      continue;
    }
    const std::string_view kind = name_of(site.kind);
    char imbalance[16] = "";
    if (is_work(site.kind) && site.threads > 1)
      std::snprintf(imbalance, sizeof imbalance, "%.1f%%", 100 * site.imbalance());
    print(rows, "%5.1f%%%9s%13s%8s  %-16.*s%s\n", percent(site.seconds, whole),
          time_text(site.seconds).c_str(), grouped(site.count).c_str(), imbalance,
          static_cast<int>(kind.size()), kind.data(), site.place.text_within(kPlaceWidth).c_str());
  }
  if (rows.empty()) return;
  print(out, "\n%6s%9s%13s%8s  %-16s%s\n", "share", "time",
        process.samples != 0 ? "samples" : "how many", "imbal.", "what", "where");
  out += rows;
  if (left_out != 0) print(out, "and %zu further places (--json tells them)\n", left_out);
}

// Where the program's own code was when it was looked at.
void print_functions(std::string& out, const ProcessFigures& process) {
  const double whole = process.total().seconds;
  size_t lines = 0;
  for (const FunctionFigures& function : process.functions) {
    if (function.seconds < kWorthALine * whole || lines == kMostLines) break;
    if (lines++ == 0) print(out, "\n%6s%9s%13s  %s\n", "share", "time", "samples", "function");
    print(out, "%5.1f%%%9s%13s  %s\n", percent(function.seconds, whole),
          time_text(function.seconds).c_str(), grouped(function.samples).c_str(),
          function.place.text_within(kFunctionWidth).c_str());
  }
}

}  // namespace

std::string profile_text(const ProcessFigures& process) {
  std::string out;
  print_head(out, process);
  print_activities(out, process);
  print_counts(out, process);
  print_sites(out, process);
  print_functions(out, process);
  print_python(out, process.python);
  return out;
}

}  // namespace bobbin::insight
