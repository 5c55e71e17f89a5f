// SPDX-License-Identifier: Apache-2.0
// The numbers of the task layer that nothing is learnt about. Those that belong to something learnt
// stand beside it: defer_limit.h, duration.h, steal.h.
#pragma once

#include <cstdint>

namespace bobbin {

// --- Executing.

// A thread executes so many tasks one after the other before it tells their parent of them, at a
// barrier or while it helps its own children along.
inline constexpr unsigned kMostTogether = 16;

// A thread executes so many tasks in a row, each a successor of the one before. Then others get a
// turn.
inline constexpr unsigned kMostHandedOver = 16;

// --- Dependent tasks.

// The wait for brief predecessors, a stall, ends when no sibling has completed for so long. A stall
// that has failed lets the next ones be skipped: twice as many as the last time, at most so many.
inline constexpr uint64_t kStallUs = 1;
inline constexpr unsigned kMostStallsSkipped = 1024;
inline constexpr int kPausesBetweenLooks = 16;

// One in so many tasks that depend on tasks which are not known to be brief is tried all the same.
inline constexpr unsigned kTrialInterval = 256;

// A maker of dependent tasks with so many that have not ended executes short ones that are ready,
// until so many are left. 256 to 2,048 measured alike.
inline constexpr uint32_t kAmpleAhead = 1024;
inline constexpr uint32_t kAheadEnough = 768;

// A maker at the bound of BOBBIN_TASK_MEMORY that finds nothing to execute waits as long as one
// task ends within this time after the other. It waits no longer, because the tasks under way may
// wait for an event that the maker is to fulfil.
inline constexpr uint64_t kBoundPatienceUs = 1000;

// --- taskloop.

// So many tasks for each thread if the program does not say.
inline constexpr uint64_t kTasksAThread = 8;

// A range with up to so many chunks for each thread is split to single chunks at once: none of them
// may have to wait for another one's end.
inline constexpr uint64_t kSplitAtOnce = 2;

// A thread splits its range while its deque holds fewer tasks than this. In the team's shared queue
// one is enough. (Lazy binary splitting: Tzannes et al., PPoPP 2010.)
inline constexpr int64_t kEnoughRanges = 2;

}  // namespace bobbin
