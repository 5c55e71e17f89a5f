// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/run/modes.h"

namespace bobbin {

// Under creation=continuation untied tasks run as continuations
// (task/modes/continuation_stealing.h).
class ContinuationMode final : public Mode {
 public:
  static constexpr ModeRank kRank = ModeRank::Continuation;
  ContinuationMode() : Mode(kRank) {}

  Decision decide(Thread& thread, const TaskSpec& spec) override;
  bool create(Thread& thread, const TaskSpec& spec) override;
  bool needs_extras(const Thread& thread, const TaskSpec& spec) override;
  void make(Thread& thread, Task& task, const TaskSpec& spec) override;
  bool queue(Thread& thread, Team& team, Task& task) override;
};

// For task/modes/table.cpp.
void begin_continuations(Team& team);

}  // namespace bobbin
