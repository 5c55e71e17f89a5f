// SPDX-License-Identifier: Apache-2.0
// A team that records or replays graphs. Nothing of a task that records is made: see recording.h.
// The tasks of a replay are followed by those that the graph knows: see replay.h.
#pragma once

#include "task/run/modes.h"

namespace bobbin {

class GraphMode final : public Mode {
 public:
  static constexpr ModeRank kRank = ModeRank::Graph;
  GraphMode() : Mode(kRank) {}

  bool collect(Thread& thread, const TaskSpec& spec) override;
  void encounter(Thread& thread, const char* what) override;
  Task* follow_up(Thread& thread, Task& task) override;
};

}  // namespace bobbin
