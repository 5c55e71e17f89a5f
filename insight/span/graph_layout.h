// SPDX-License-Identifier: Apache-2.0
// The task graph as the instrument leaves it beside its recording, in two files: nodes, and the
// edges that lead to them, in the same order. docs/notes/graph-format.md tells what they mean.
#pragma once

#include <cstdint>

namespace bobbin::insight {

// What follows what. A node without edges to it begins the program, or a thread of its own.
enum class EdgeKind : uint8_t {
  Continuation = 1,  // the same task goes on
  Creation = 2,      // a task begins after the code that has made it
  Dependence = 3,    // a task begins after the end of a predecessor
  Wait = 4,          // what was waited for has ended
  Fork = 5,          // a thread begins its part of a region
};

// Of the file that the command makes.
inline constexpr int kGraphVersion = 1;

// Numbers of nodes begin with 1. An edge leads from a node with a lower number.
struct GraphNode {
  float work = 0;      // ticks; ns in the file that the command makes of it
  uint32_t task = 0;   // number of the task, or of the implicit task; 0: it only joins others
  uint32_t edges = 0;  // how many lead to it
  uint16_t site = 0;
  uint16_t unused = 0;
};
static_assert(sizeof(GraphNode) == 16);

using GraphEdge = uint64_t;
inline constexpr unsigned kEdgeKindShift = 56;
constexpr GraphEdge edge_from(uint32_t node, EdgeKind kind) {
  return node | uint64_t{static_cast<uint8_t>(kind)} << kEdgeKindShift;
}
constexpr uint32_t origin_of(GraphEdge edge) { return static_cast<uint32_t>(edge); }
constexpr EdgeKind edge_kind(GraphEdge edge) {
  return static_cast<EdgeKind>(edge >> kEdgeKindShift);
}

// The suffixes that the two files have instead of that of the recording.
inline constexpr const char* kNodesSuffix = ".nodes";
inline constexpr const char* kEdgesSuffix = ".edges";
// `bobbin run` sets it if the graph is wanted.
inline constexpr const char* kGraphVariable = "BOBBIN_RECORD_GRAPH";

}  // namespace bobbin::insight
