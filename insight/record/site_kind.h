// SPDX-License-Identifier: Apache-2.0
// What a thread does at a place in the program. At each moment a thread is at one site, so the
// times of all sites add up to the time of all threads.
#pragma once

#include <cstdint>

namespace bobbin::insight {

enum class SiteKind : uint8_t {
  None,
  // The program's own work: outside of regions, in a region, and in constructs inside of it.
  Serial,
  Region,
  Loop,
  Sections,
  Single,
  Task,
  // The runtime's work.
  Fork,  // begin and end of a region
  TaskCreation,
  DependenceCheck,
  DependenceRelease,
  Reduction,
  // Waits.
  Barrier,
  Taskwait,
  Taskgroup,
  DependenceWait,
  Critical,
  Lock,
  Ordered,
  Atomic,
  // Between two regions.
  Idle,
};
inline constexpr unsigned kSiteKinds = static_cast<unsigned>(SiteKind::Idle) + 1;

}  // namespace bobbin::insight
