// SPDX-License-Identifier: Apache-2.0
#include "insight/report/json.h"
#include "measure/comparison.h"
#include "measure/speedup.h"

namespace bobbin::cli {
namespace {

using insight::Json;

Json ratio(const std::vector<double>& base, const std::vector<double>& side) {
  const Speedup found = speedup(base, side);
  Json made = {{"value", found.value}};
  if (found.has_interval()) made.update(Json{{"low", found.low}, {"high", found.high}});
  return made;
}

Json side_of(const Side& side, const Side& base) {
  Json variables = Json::object();
  for (const auto& [name, value] : side.variables) variables[name] = value;
  Json made = {{"name", side.title()},
               {"on_bobbin", side.on_bobbin},
               {"variables", variables},
               {"seconds", side.seconds},
               {"processor_seconds", side.processor_seconds}};
  if (&side != &base) {
    made["against"] = base.title();
    made["speedup"] = ratio(base.seconds, side.seconds);
    made["processor_time_saved"] = ratio(base.processor_seconds, side.processor_seconds);
  }
  return made;
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json libraries = Json::array();
  for (const auto& library : comparison.libraries) libraries.push_back(library.string());
  Json sides = Json::array();
  for (const Side& side : comparison.sides) {
    sides.push_back(side_of(side, comparison.sides[side.base]));
  }
  return insight::to_text({{"command", comparison.command},
                           {"libraries", libraries},
                           {"regions", comparison.regions},
                           {"threads", comparison.threads},
                           {"sides", sides}});
}

}  // namespace bobbin::cli
