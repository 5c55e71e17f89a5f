// SPDX-License-Identifier: Apache-2.0
#include "task/run/modes.h"

namespace bobbin {

// --- What is done without the mode.

bool Mode::collect(Thread& /*thread*/, const TaskSpec& /*spec*/) { return false; }
void Mode::encounter(Thread& /*thread*/, const char* /*what*/) {}

Deferral Mode::defers(Thread& /*thread*/, bool /*tied*/) { return Deferral::Unsaid; }

Decision Mode::decide(Thread& thread, const TaskSpec& spec) {
  switch (defers(thread, spec.tied)) {
    case Deferral::Unsaid:
      return Decision::Undecided;
    case Deferral::No:
      return Decision::InPlace;
    case Deferral::Yes:
    case Deferral::Always:
      return Decision::Defer;
  }
  __builtin_unreachable();
}

bool Mode::create(Thread& /*thread*/, const TaskSpec& /*spec*/) { return false; }
bool Mode::orders(const Thread& /*thread*/) { return false; }
bool Mode::needs_extras(const Thread& /*thread*/, const TaskSpec& /*spec*/) { return false; }
void Mode::make(Thread& /*thread*/, Task& /*task*/, const TaskSpec& /*spec*/) {}
bool Mode::may_go_on(const Thread& /*thread*/, const Task& /*task*/) { return true; }
void Mode::follow(Thread& /*thread*/, const Task& /*task*/) {}
bool Mode::queue(Thread& /*thread*/, Team& /*team*/, Task& /*task*/) { return false; }
Task* Mode::follow_up(Thread& /*thread*/, Task& /*task*/) { return nullptr; }
bool Mode::searches(const Thread& /*thread*/) { return false; }
Found Mode::search(Thread& /*thread*/, Completions& /*completions*/) { return {}; }
Task* Mode::find(Thread& /*thread*/) { return nullptr; }
bool Mode::run_another(Thread& /*thread*/, Sleep /*sleep*/) { return false; }
bool Mode::holds(const Team& /*team*/) { return !tasks.empty(); }
void Mode::begin_wait(Thread& /*thread*/, WaitNotes& /*notes*/) {}
void Mode::end_wait(Thread& /*thread*/, WaitNotes& /*notes*/) {}
bool Mode::keeps_back(const Thread& /*thread*/) { return false; }
bool Mode::wait(Thread& /*thread*/, WaitNotes& /*notes*/) { return false; }
void Mode::begin_group(Thread& /*thread*/, Taskgroup& /*group*/) {}
void Mode::end_group(Thread& /*thread*/, Taskgroup& /*group*/) {}
void Mode::arrange(Member& /*member*/) {}
void Mode::let_go(Member& /*member*/) {}
void Mode::go_on_alone(Team& /*team*/) { tasks.go_on_alone(); }

// --- Which take part.

void enter_mode(Team& team, Mode& mode) {
  Atomic<Mode*>* link = &team.mode;
  while (link->load(relaxed) != nullptr && link->load(relaxed)->rank < mode.rank) {
    link = &link->load(relaxed)->next;
  }
  mode.next.store(link->load(relaxed), relaxed);
  link->store(&mode, release);
}

Mode* take_idle_mode(Team& team, ModeRank rank) {
  Mode* before = nullptr;
  for (Mode* mode = team.idle_modes; mode != nullptr; before = mode, mode = mode->next) {
    if (mode->rank != rank) continue;
    Mode* after = mode->next.load(relaxed);
    if (before != nullptr) {
      before->next.store(after, relaxed);
    } else {
      team.idle_modes = after;
    }
    return mode;
  }
  return nullptr;
}

void leave_modes(Team& team) {
  while (Mode* mode = team.mode.load(relaxed)) {
    team.mode.store(mode->next.load(relaxed), relaxed);
    mode->next.store(team.idle_modes, relaxed);
    team.idle_modes = mode;
  }
}

}  // namespace bobbin
