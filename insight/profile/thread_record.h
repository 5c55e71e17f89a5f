// SPDX-License-Identifier: Apache-2.0
// What the profile keeps of a thread: for each site how long the thread was there and how often it
// came, and counts of what happens. It lies in the recording and is written by its thread alone.
//
// The thread is at one site at a time. At each event that changes the site, the time since the last
// change goes to the site that is left, so no time is counted twice or lost.
#pragma once

#include <cstdint>

#include "insight/record/layout.h"

namespace bobbin::insight {

enum class Count : uint8_t {
  TasksMade,
  TasksUndeferred,  // because the program says so: if, final, a region of one thread
  TasksInPlace,     // executed by their maker at once, those above included
  TasksElsewhere,   // begun by another thread than their maker
  TasksMoved,       // went on on another thread than the last one, each time
  TasksCancelled,
  TasksBrief,  // executed in place, too, but neither counted above nor timed one by one
  TasksDependent,
  Chunks,
  StealsTried,
  StealsWon,
  TasksStolen,
  // Of those won, where both threads ran in one: the nearest first, as bobbin_distance_t has them.
  StealsInCore,
  StealsInCache,
  StealsInNode,
  StealsInPackage,
  StealsInMachine,
};
inline constexpr unsigned kCounts = static_cast<unsigned>(Count::StealsInMachine) + 1;

struct Tally {
  uint64_t ticks = 0;
  uint64_t count = 0;
  // Of a task construct: what its tasks take that do nothing but work, on average. 0: not known.
  uint64_t brief_ticks = 0;
};

// A parallel region, as its threads see it. Written by the encountering thread.
struct RegionMark {
  SiteNumber site = 0;
  Atomic<uint64_t> begin{0};  // ticks; 0 while it is being reused
  Atomic<uint64_t> end{0};    // ticks; 0: it has not ended
};
// One thread has at most so many open at a time, of those that are told apart.
inline constexpr unsigned kRegionMarks = 32;

// Where a task is: the site that it began with (its construct), that of the worksharing construct
// in it, and the present one, which may be a wait. `outer` is the site to which it returns from the
// runtime's own work.
struct Whereabouts {
  SiteNumber base = 0;
  SiteNumber work = 0;
  SiteNumber now = 0;
  SiteNumber outer = 0;
};

struct ThreadRecord {
  SlotHeader header;
  Whereabouts at;
  uint64_t first_region = 0;        // ticks at which it began its first region; 0: it has not
  uint64_t task_begin = 0;          // ticks, of the task that was begun last
  const void* just_made = nullptr;  // the data of a task, if its creation was the last event
  RegionMark* region = nullptr;     // that of the implicit task which it executes
  uint64_t region_begin = 0;        // the mark's begin then
  uint32_t next_mark = 0;
  RegionMark marks[kRegionMarks];
  uint64_t counts[kCounts] = {};
  uint64_t largest_queue = 0;  // tasks
  Tally tallies[kSites];
};
inline constexpr uint32_t kRecordBytes = to_pages(sizeof(ThreadRecord));
inline constexpr uint32_t kMostThreads = 4096;

}  // namespace bobbin::insight
