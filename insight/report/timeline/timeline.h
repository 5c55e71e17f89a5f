// SPDX-License-Identifier: Apache-2.0
// What the threads of a traced process did, made of the events of its recording
// (docs/notes/trace-format.md). Times are in nanoseconds since the recording began.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "insight/report/timeline/tracks.h"

namespace bobbin::insight {

struct TaskStory {
  std::optional<Point> created;
  std::optional<Point> begun;
  std::optional<Point> ended;
  bool at_once = false;  // its maker began it right when it had made it
  bool stolen = false;   // by the thread that began it
};

struct Dependence {
  uint64_t from = 0;
  uint64_t to = 0;
};

// The value that a counter has from a time on.
struct Sample {
  uint64_t time = 0;
  int64_t value = 0;
};

struct Timeline {
  int process = 0;
  std::string command;
  uint64_t begin_ns = 0;  // CLOCK_MONOTONIC
  uint64_t end = 0;
  bool ended_in_order = false;
  unsigned threads_lost = 0;
  std::vector<TimelineThread> threads;
  std::vector<TimelineWorker> workers;
  std::vector<std::string> site_names;                // by number
  std::vector<std::pair<uint64_t, TaskStory>> tasks;  // by id, ascending
  std::vector<Dependence> dependences;
  std::vector<WakeUp> wake_ups;
  std::vector<Sample> tasks_waiting;
  std::vector<Sample> threads_working;

  uint64_t overwritten() const;
  size_t slices() const;
  const TaskStory* task(uint64_t id) const;
};

// `last_ns`: only what is in the last nanoseconds; 0: all. Nothing: the file is no trace.
std::optional<Timeline> read_timeline(const std::filesystem::path& path, uint64_t last_ns);

}  // namespace bobbin::insight
