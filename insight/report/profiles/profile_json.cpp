// SPDX-License-Identifier: Apache-2.0
#include "insight/report/profiles/profile_json.h"

#include "insight/report/json.h"
#include "insight/report/site_keys.h"

namespace bobbin::insight {
namespace {

constexpr const char* kCountNames[] = {
    "tasks",
    "tasks_undeferred",
    "tasks_in_place",
    "tasks_elsewhere",
    "tasks_moved",
    "tasks_cancelled",
    "tasks_untimed",
    "tasks_dependent",
    "chunks",
    "steals_tried",
    "steals_won",
    "tasks_stolen",
    "steals_in_core",
    "steals_in_cache",
    "steals_in_node",
    "steals_in_package",
    "steals_in_machine",
};
static_assert(std::size(kCountNames) == kCounts);

const char* thread_type(int type) {
  constexpr const char* kTypes[] = {"", "initial", "worker", "other"};
  return type >= 1 && type <= 3 ? kTypes[type] : "unknown";
}

Json figures(const ThreadFigures& thread) {
  Json seconds = Json::object();
  for (const Activity& activity : activities())
    seconds[std::string(activity.name)] = thread.spent_on(activity);
  Json counts = Json::object();
  for (unsigned i = 0; i < kCounts; i++) counts[kCountNames[i]] = thread.counts[i];
  counts["tasks_deferred"] = thread.deferred();
  counts["largest_queue"] = thread.largest_queue;
  Json visits = Json::object();
  for (unsigned i = 1; i < kSiteKinds; i++) {
    if (thread.came[i] != 0)
      visits[std::string(name_of(static_cast<SiteKind>(i)))] = thread.came[i];
  }
  return {{"thread_seconds", thread.seconds},
          {"seconds", seconds},
          {"counts", counts},
          {"visits", visits}};
}

Json threads_of(const ProcessFigures& process) {
  Json threads = Json::array();
  for (const ThreadFigures& thread : process.threads) {
    Json one = {{"type", thread_type(thread.type)}};
    one.update(figures(thread));
    threads.push_back(one);
  }
  return threads;
}

Json sites_of(const ProcessFigures& process) {
  Json sites = Json::array();
  for (const SiteFigures& site : process.sites) {
    Json one = {{"what", name_of(site.kind)},
                {"seconds", site.seconds},
                {"count", site.count},
                {"threads", site.threads},
                {"longest_thread_seconds", site.longest},
                {"imbalance", site.imbalance()}};
    if (site.known) {
      add_place(one, site.place);
    }
    sites.push_back(one);
  }
  return sites;
}

Json functions_of(const ProcessFigures& process) {
  Json functions = Json::array();
  for (const FunctionFigures& function : process.functions) {
    Json one = {{"seconds", function.seconds}, {"samples", function.samples}};
    add_place(one, function.place);
    functions.push_back(one);
  }
  return functions;
}

Json python_of(const ProcessFigures& process) {
  Json lines = Json::array();
  for (const PythonFigures& figures : process.python) {
    Json frames = Json::array();
    for (const PythonFrame& frame : figures.frames) {
      frames.push_back({{"file", frame.file}, {"line", frame.line}, {"function", frame.function}});
    }
    Json one = {{"seconds", figures.seconds},
                {"samples", figures.samples},
                {"working_seconds", figures.working},
                {"frames", frames}};
    if (figures.in_region) add_place(one["region"], figures.region);
    lines.push_back(one);
  }
  return lines;
}

Json usage_of(const Usage& usage) {
  return {{"stacks", usage.stacks},
          {"switches", usage.switches},
          {"helpers", usage.helpers},
          {"spares", usage.spares},
          {"descriptor_bytes", usage.descriptor_bytes}};
}

Json process_of(const ProcessFigures& process) {
  Json made = {{"process", process.process},
               {"parent", process.parent},
               {"command", process.command},
               {"runtime", process.runtime},
               {"seconds", process.seconds},
               {"start_up_seconds", process.start_up},
               {"processor_seconds", process.processor_seconds},
               {"ticks_per_ns", process.ticks_per_ns},
               {"end_known", process.ended_in_order},
               {"threads_lost", process.threads_lost},
               {"sites_lost", process.sites_lost},
               {"imbalance", process.imbalance()},
               {"on_processors", process.on_processors()},
               {"usage", usage_of(process.usage)},
               {"total", figures(process.total())},
               {"threads", threads_of(process)},
               {"sites", sites_of(process)}};
  if (process.samples == 0) return made;
  made["samples"] = process.samples;
  made["functions"] = functions_of(process);
  if (!process.python.empty()) made["python"] = python_of(process);
  return made;
}

}  // namespace

std::string profile_json(const std::vector<ProcessFigures>& processes) {
  Json all = Json::array();
  for (const ProcessFigures& process : processes) all.push_back(process_of(process));
  return to_text(Json{{"profile", 1}, {"processes", all}});
}

}  // namespace bobbin::insight
