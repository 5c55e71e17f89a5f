// SPDX-License-Identifier: Apache-2.0
// The file of a task graph, from what the instrument has left (span/graph_layout.h).
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "insight/report/spans/span.h"

namespace bobbin::insight {

struct GraphSize {
  uint64_t nodes = 0;
  uint64_t edges = 0;
};

// The process with most work that has left a graph; nullptr: there is none.
const SpanFigures* process_with_graph(const std::vector<SpanFigures>& processes);

// Writes the process's graph as docs/notes/graph-format.md specifies. False: that failed, and errno
// tells why.
bool write_graph(const SpanFigures& process, std::FILE* to, GraphSize& size);

}  // namespace bobbin::insight
