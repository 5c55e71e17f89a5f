// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <vector>

#include "insight/report/timeline/timeline.h"

namespace bobbin::insight {

// Writes the processes in the JSON format of Chrome's tracing, which Perfetto opens. False: it
// could not be written.
bool write_timeline_json(const std::vector<Timeline>& processes, std::FILE* to);

}  // namespace bobbin::insight
