// SPDX-License-Identifier: Apache-2.0
// What the reports in JSON have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "insight/report/symbols/symbols.h"

namespace bobbin::insight {

using Json = nlohmann::ordered_json;

inline void add_place(Json& to, const Place& place) {
  to["where"] = place.text();
  to["module"] = place.module;
  to["offset"] = place.offset;
  to["function"] = place.function;
  to["file"] = place.file;
  to["line"] = place.line;
}

// Names of files may be no UTF-8.
inline std::string to_text(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bobbin::insight
