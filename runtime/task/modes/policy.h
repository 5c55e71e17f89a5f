// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/taskgroup.h"
#include "task/run/modes.h"
#include "team/queues/data_lists.h"

// What policies other than the default do where tasks are created and taken. A region's policy is
// an ICV of its implicit tasks. That of a taskgroup is in its state and covers creation and cutoff
// only, because a task belongs to a group and a queue to a thread.
namespace bobbin {

class PolicyMode final : public Mode {
 public:
  static constexpr ModeRank kRank = ModeRank::Policy;
  PolicyMode() : Mode(kRank) {}

  Deferral defers(Thread& thread, bool tied) override;
  void make(Thread& thread, Task& task, const TaskSpec& spec) override;
  void follow(Thread& thread, const Task& task) override;
  bool searches(const Thread& thread) override;
  Found search(Thread& thread, Completions& completions) override;
  void arrange(Member& member) override;
  void let_go(Member& member) override;
  void go_on_alone(Team& team) override;

 private:
  DataLists<Task> data_lists_;
};

// For task/modes/table.cpp.
void begin_policy(Team& team);

inline bool steals_continuations(const Team& team) {
  return mode_of(team, ModeRank::Continuation) != nullptr;
}

// Do untied tasks that the current task makes run as continuations?
bool makes_continuations(const Thread& thread);
// And is there room in the thread's queue for the rest of one more task?
bool more_continuations_wanted(Thread& thread);

// Is a task that the current task makes to be deferred?
bool policy_defers(Thread& thread, bool tied);

// Sets the policy of the innermost taskgroup region that the current task is in, for tasks created
// from now on. False: there is no such region, or `text` is not understood, or no memory; then
// nothing has changed.
bool set_taskgroup_policy(Thread& thread, std::string_view text);

}  // namespace bobbin
