// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/loops/dispatch.h"

#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/loops/static_bounds.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// distribute combined with a loop: the threads get the team's part of the loop. In code of Intel's
// compilers next_part() sets the same flag, and the code reads it after the loop. So it is cleared
// here for threads that get nothing.
template <class T>
void begin_team_loop(int32_t schedule, int32_t* last, T lower, T upper, std::make_signed_t<T> step,
                     std::make_signed_t<T> chunk) {
  const Team& team = current_team();
  StaticLoop<T> part{lower, upper, 0, false};
  distribute(part, step, team);
  if (last != nullptr) *last = 0;
  begin_loop(schedule, part.lower, part.upper, step, chunk);
  self().member->position.part_is_last = part.last;
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types.
// The entry points of one type of loop variable. "fini" ends an iteration of an ordered loop. The
// runtime learns this when the next chunk is asked for.
#define BOBBIN_LOOP_ENTRIES(suffix, T, Step)                                                       \
  BOBBIN_ENTRY void __kmpc_dispatch_init_##suffix(const Ident*, int32_t, int32_t schedule,         \
                                                  T lower, T upper, Step step, Step chunk) {       \
    BOBBIN_CALL_SITE;                                                                              \
    begin_loop<T>(schedule, lower, upper, step, chunk);                                            \
  }                                                                                                \
  BOBBIN_ENTRY void __kmpc_dist_dispatch_init_##suffix(const Ident*, int32_t, int32_t schedule,    \
                                                       int32_t* last, T lower, T upper, Step step, \
                                                       Step chunk) {                               \
    BOBBIN_CALL_SITE;                                                                              \
    begin_team_loop<T>(schedule, last, lower, upper, step, chunk);                                 \
  }                                                                                                \
  BOBBIN_ENTRY int32_t __kmpc_dispatch_next_##suffix(const Ident*, int32_t, int32_t* last,         \
                                                     T* lower, T* upper, Step* step) {             \
    return next_part<T>(last, lower, upper, step, BOBBIN_RETURN_ADDRESS);                          \
  }                                                                                                \
  BOBBIN_ENTRY void __kmpc_dispatch_fini_##suffix(const Ident*, int32_t) {}

// NOLINTEND(bugprone-macro-parentheses)

BOBBIN_LOOP_ENTRIES(4, int32_t, int32_t)
BOBBIN_LOOP_ENTRIES(4u, uint32_t, int32_t)
BOBBIN_LOOP_ENTRIES(8, int64_t, int64_t)
BOBBIN_LOOP_ENTRIES(8u, uint64_t, int64_t)

// The thread has left the loop, perhaps before its end because it was cancelled.
BOBBIN_ENTRY void __kmpc_dispatch_deinit(const Ident*, int32_t) { leave_share(self()); }
