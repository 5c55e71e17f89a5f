// SPDX-License-Identifier: Apache-2.0
#include "insight/report/json.h"
#include "insight/report/site_keys.h"
#include "insight/report/spans/span.h"

namespace bobbin::insight {
namespace {

Json site_of(const SpanSite& site) {
  Json one = {{"what", name_of(site.kind)},
              {"count", site.count},
              {"work_seconds", site.work},
              {"on_path_seconds", site.on_path},
              {"longest_seconds", site.longest},
              {"whole_work_seconds", site.whole_work},
              {"whole_span_seconds", site.whole_span}};
  if (!site.known) return one;
  add_place(one, site.place);
  return one;
}

Json process_of(const SpanFigures& process) {
  Json sites = Json::array();
  for (const SpanSite& site : process.sites) sites.push_back(site_of(site));
  return {{"process", process.process},
          {"command", process.command},
          {"runtime", process.runtime},
          {"work_seconds", process.work},
          {"span_seconds", process.span},
          {"tasks", process.tasks},
          {"hand_overs", process.hand_overs},
          {"hand_over_seconds", process.hand_over},
          {"parallelism", process.parallelism()},
          {"mutex_seconds", process.in_mutex},
          {"mutex", process.mutex.text()},
          {"path_known", process.path_known},
          {"sites", sites}};
}

}  // namespace

std::string span_json(const std::vector<SpanFigures>& processes) {
  Json all = Json::array();
  for (const SpanFigures& process : processes) all.push_back(process_of(process));
  return to_text(Json{{"span", 1}, {"processes", all}});
}

}  // namespace bobbin::insight
