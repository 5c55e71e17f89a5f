// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "insight/report/profiles/profile.h"

namespace bobbin::insight {

// Tables of at most 80 columns.
std::string profile_text(const ProcessFigures& process);

}  // namespace bobbin::insight
