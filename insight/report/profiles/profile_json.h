// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "insight/report/profiles/profile.h"

namespace bobbin::insight {

// All figures. docs/inside.md describes the fields.
std::string profile_json(const std::vector<ProcessFigures>& processes);

}  // namespace bobbin::insight
