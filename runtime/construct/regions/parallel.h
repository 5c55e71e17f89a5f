// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/regions/error_directive.h"
#include "env/icv.h"
#include "platform/locks/handlers_wait.h"
#include "team/regions/fork_join.h"

// The parallel construct (section 10.1).
namespace bobbin {

// What the clauses of the construct say.
struct ParallelClauses {
  unsigned num_threads = 0;  // 0: none given
  bool active = true;        // if clause
  bool has_bind = false;     // proc_bind clause
  ProcBind bind = ProcBind::False;
};

// Begins a region: the caller becomes thread 0 of the team returned. `prepare(team)` sets up what
// the team's threads will find: the worksharing region of a combined construct.
template <class Prepare>
Team& begin_parallel(void (*function)(void*), void* data, const ParallelClauses& clauses,
                     Prepare&& prepare);
// Ends it.
void end_parallel();
// The primary thread's part, if a tool watches.
void call_watched(void (*function)(void*), void* data);

// The whole region. Returns how many threads it had.
template <class Prepare>
unsigned parallel_with(void (*function)(void*), void* data, const ParallelClauses& clauses,
                       Prepare&& prepare) {
  const Team& team = begin_parallel(function, data, clauses, prepare);
  const unsigned size = team.size;
  if (team.watched) [[unlikely]] {
    call_watched(function, data);
  } else {
    function(data);
  }
  end_parallel();
  return size;
}

inline void parallel(void (*function)(void*), void* data, const ParallelClauses& clauses) {
  parallel_with(function, data, clauses, [](Team&) {});
}

// omp_get_max_threads for a thread at level 0. As a rule a region follows.
unsigned offer_threads(Thread& thread);

// num_threads(strict: wanted): an error if the team is smaller. message: null if none is given.
void require_threads(const Team& team, unsigned wanted, Severity severity, const char* message);

// Takes a team for the region; the rest of begin_parallel.
Team& take_team_for_region(Thread& thread, const ParallelClauses& clauses);

template <class Prepare>
Team& begin_parallel(void (*function)(void*), void* data, const ParallelClauses& clauses,
                     Prepare&& prepare) {
  Thread& thread = self();
  const HandlersWait wait;  // the team is in the hands of its thread 0 until it is published
  Team& team = take_team_for_region(thread, clauses);
  team.code = reinterpret_cast<const void*>(function);
  prepare(team);
  fork(thread, team, function, data);
  return team;
}

}  // namespace bobbin
