// SPDX-License-Identifier: Apache-2.0
// Asks the modes of a team (team/model/mode.h), one after the other. Without a mode that costs one
// test.
#pragma once

#include <new>

#include "platform/memory.h"
#include "task/model/task_spec.h"
#include "task/run/found.h"
#include "team/model/team.h"

namespace bobbin {

// The first answer that is not empty, or an empty one.
template <class Ask>
auto ask_modes(const Team& team, Ask&& ask) {
  using Answer = decltype(ask(*team.mode.load(relaxed)));
  if (!in_mode(team)) [[likely]]
    return Answer{};
  for (Mode* mode = team.mode.load(acquire); mode != nullptr; mode = mode->next.load(acquire)) {
    if (const Answer answer = ask(*mode); answer != Answer{}) return answer;
  }
  return Answer{};
}
template <class Tell>
void tell_modes(const Team& team, Tell&& tell) {
  if (!in_mode(team)) [[likely]]
    return;
  for (Mode* mode = team.mode.load(acquire); mode != nullptr; mode = mode->next.load(acquire)) {
    tell(*mode);
  }
}

// These are called under Team::modes_lock. The mode takes part from now on.
void enter_mode(Team& team, Mode& mode);
// Takes one that took part in an earlier region, or returns nullptr.
Mode* take_idle_mode(Team& team, ModeRank rank);

// The region has ended: none takes part any more.
void leave_modes(Team& team);

// Lets the mode take part in the region. nullptr: no memory.
template <class M>
M* begin_mode(Team& team) {
  const SpinGuard guard(team.modes_lock);
  Mode* mode = mode_of(team, M::kRank);
  if (mode == nullptr) {
    mode = take_idle_mode(team, M::kRank);
    if (mode == nullptr) mode = make_lasting<M>();
    if (mode != nullptr) enter_mode(team, *mode);
  }
  return static_cast<M*>(mode);
}

// True: a mode has noted the task construct, and nothing else is to be done.
inline bool collect_in_mode(Thread& thread, const TaskSpec& spec) {
  return thread.task->collects &&
         ask_modes(*thread.member->team, [&](Mode& mode) { return mode.collect(thread, spec); });
}

// The task construct has RareSpec::for_pool. A mode that begins here may change the description, of
// which `rare` is the rare part. Defined in task/modes/table.cpp.
void offer_to_modes(Thread& thread, TaskSpec& spec, RareSpec& rare);

// The current task encounters something else that concerns tasks.
inline void encounter(Thread& thread, const char* what) {
  if (thread.task->collects) [[unlikely]]
    tell_modes(*thread.member->team, [&](Mode& mode) { mode.encounter(thread, what); });
}

// For a task without dependences, priority or event.
inline Deferral deferral_in_mode(Thread& thread, bool tied) {
  return ask_modes(*thread.member->team, [&](Mode& mode) { return mode.defers(thread, tied); });
}

// May the thread go on with the task, which is ready and need not be queued?
inline bool may_go_on_in_mode(const Thread& thread, const Task& task) {
  return !ask_modes(*thread.member->team,
                    [&](Mode& mode) { return !mode.may_go_on(thread, task); });
}

// What the modes know of a wait.
class WaitInMode {
 public:
  explicit WaitInMode(Thread& thread) : thread_(thread) {
    tell_modes(team(), [&](Mode& mode) { mode.begin_wait(thread_, notes_); });
  }
  WaitInMode(const WaitInMode&) = delete;
  WaitInMode& operator=(const WaitInMode&) = delete;
  ~WaitInMode() {
    tell_modes(team(), [&](Mode& mode) { mode.end_wait(thread_, notes_); });
  }

  bool keeps_back() const {
    return ask_modes(team(), [&](Mode& mode) { return mode.keeps_back(thread_); });
  }
  bool wait() {
    return ask_modes(team(), [&](Mode& mode) { return mode.wait(thread_, notes_); });
  }

 private:
  const Team& team() const { return *thread_.member->team; }

  Thread& thread_;
  WaitNotes notes_;
};

}  // namespace bobbin
