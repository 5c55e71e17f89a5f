// SPDX-License-Identifier: Apache-2.0
// Static loops and distribute. The program executes its part by itself and needs only the bounds.
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/loops/static_bounds.h"
#include "construct/tool_events.h"
#include "construct/worksharing/iteration_space.h"
#include "team/model/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

template <class T>
using Signed = std::make_signed_t<T>;

template <class T>
void store(const StaticLoop<T>& loop, int32_t* last, T* lower, T* upper, Signed<T>* stride) {
  *lower = loop.lower;
  *upper = loop.upper;
  *stride = loop.stride;
  if (last != nullptr) *last = loop.last ? 1 : 0;
}

// The number of iterations, both bounds included.
template <class T>
uint64_t count_of(T lower, T upper, Signed<T> step) {
  return LoopBounds::inclusive(lower, upper, step).count();
}

// The program executes its part until __kmpc_for_static_fini.
template <class T>
[[gnu::noinline]] void tell_static(const Ident* place, const StaticLoop<T>& part, uint64_t count,
                                   Signed<T> step) {
  Thread& thread = self();
  const int32_t flags = place != nullptr ? place->flags : 0;
  const uint64_t iterations = count_of(part.lower, part.upper, step);
  const auto first = static_cast<uint64_t>(part.lower);
  if ((flags & kSectionsWork) != 0) {
    tell_work_begin(thread, ompt_work_sections, count);
    for (uint64_t i = 0; i < iterations; i++) tell_section(thread);
  } else if ((flags & kDistributeWork) != 0) {
    tell_work_begin(thread, ompt_work_distribute, count);
    if (iterations != 0) {
      tell_iterations(thread, ompt_dispatch_distribute_chunk, first, iterations);
    }
  } else {
    tell_work_begin(thread, ompt_work_loop_static, count);
    if (iterations != 0) tell_iterations(thread, ompt_dispatch_ws_loop_chunk, first, iterations);
  }
}

template <class T>
void divide_in_place(const Ident* place, int32_t schedule, int32_t* last, T* lower, T* upper,
                     Signed<T>* stride, Signed<T> step, Signed<T> chunk) {
  const Member& member = *self().member;
  const Team& team = *member.team;
  StaticLoop<T> loop{*lower, *upper, 0, false};
  int32_t kind = without_modifiers(schedule);
  if (kind == kDistributeStatic || kind == kDistributeStaticChunked) {
    divide(loop, kind, step, chunk, team.num_teams, team.team_num);
  } else {
    divide(loop, kind, step, chunk, team.size, member.num);
  }
  if (tool::watched) [[unlikely]]
    tell_static(place, loop, count_of(*lower, *upper, step), step);
  store(loop, last, lower, upper, stride);
}

// distribute and loop in one: divides among the teams, then among the threads of the calling
// thread's team.
template <class T>
void divide_twice(const Ident* place, int32_t schedule, int32_t* last, T* lower, T* upper,
                  T* team_upper, Signed<T>* stride, Signed<T> step, Signed<T> chunk) {
  const Member& member = *self().member;
  const Team& team = *member.team;
  StaticLoop<T> part{*lower, *upper, 0, false};
  distribute(part, step, team);
  *team_upper = part.upper;
  StaticLoop<T> loop{part.lower, part.upper, 0, false};
  divide(loop, without_modifiers(schedule), step, chunk, team.size, member.num);
  loop.last = loop.last && part.last;
  if (tool::watched) [[unlikely]]
    tell_static(place, loop, count_of(part.lower, part.upper, step), step);
  store(loop, last, lower, upper, stride);
}

// distribute with chunks: gives the team its first chunk.
template <class T>
void divide_among_teams(int32_t* last, T* lower, T* upper, Signed<T>* stride, Signed<T> step,
                        Signed<T> chunk) {
  const Team& team = current_team();
  StaticLoop<T> loop{*lower, *upper, 0, false};
  divide(loop, kDistributeStaticChunked, step, chunk, team.num_teams, team.team_num);
  store(loop, last, lower, upper, stride);
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types.
// The entry points of one type of loop variable.
#define BOBBIN_STATIC_ENTRIES(suffix, T, Step)                                                     \
  BOBBIN_ENTRY void __kmpc_for_static_init_##suffix(const Ident* place, int32_t, int32_t schedule, \
                                                    int32_t* last, T* lower, T* upper,             \
                                                    Step* stride, Step step, Step chunk) {         \
    BOBBIN_CALL_SITE;                                                                              \
    divide_in_place<T>(place, schedule, last, lower, upper, stride, step, chunk);                  \
  }                                                                                                \
  BOBBIN_ENTRY void __kmpc_dist_for_static_init_##suffix(                                          \
      const Ident* place, int32_t, int32_t schedule, int32_t* last, T* lower, T* upper,            \
      T* team_upper, Step* stride, Step step, Step chunk) {                                        \
    BOBBIN_CALL_SITE;                                                                              \
    divide_twice<T>(place, schedule, last, lower, upper, team_upper, stride, step, chunk);         \
  }                                                                                                \
  BOBBIN_ENTRY void __kmpc_team_static_init_##suffix(const Ident*, int32_t, int32_t* last,         \
                                                     T* lower, T* upper, Step* stride, Step step,  \
                                                     Step chunk) {                                 \
    divide_among_teams<T>(last, lower, upper, stride, step, chunk);                                \
  }

// NOLINTEND(bugprone-macro-parentheses)

BOBBIN_STATIC_ENTRIES(4, int32_t, int32_t)
BOBBIN_STATIC_ENTRIES(4u, uint32_t, int32_t)
BOBBIN_STATIC_ENTRIES(8, int64_t, int64_t)
BOBBIN_STATIC_ENTRIES(8u, uint64_t, int64_t)

BOBBIN_ENTRY void __kmpc_for_static_fini(const Ident*, int32_t) {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_work_end(self());
}
BOBBIN_ALIAS(__kmpc_for_static_fini)
void __kmpc_dist_for_static_fini(const Ident*, int32_t);
