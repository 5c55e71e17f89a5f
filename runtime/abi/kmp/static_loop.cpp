// SPDX-License-Identifier: Apache-2.0
// Static loops and distribute: the program executes its part by itself, the bounds are all it
// needs.
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/static_bounds.h"
#include "team/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

template <class T>
void divide_in_place(int32_t schedule, int32_t* last, T* lower, T* upper,
                     std::make_signed_t<T>* stride, std::make_signed_t<T> step,
                     std::make_signed_t<T> chunk) {
  const Member& member = *self().member;
  const Team& team = *member.team;
  StaticLoop<T> loop{*lower, *upper, 0, false};
  int32_t kind = without_modifiers(schedule);
  if (kind == kDistributeStatic || kind == kDistributeStaticChunked) {
    divide(loop, kind, step, chunk, team.num_teams, team.team_num);
  } else {
    divide(loop, kind, step, chunk, team.size, member.num);
  }
  *lower = loop.lower;
  *upper = loop.upper;
  *stride = loop.stride;
  if (last != nullptr) *last = loop.last ? 1 : 0;
}

}  // namespace

BOBBIN_ENTRY void __kmpc_for_static_init_4(const Ident*, int32_t, int32_t schedule, int32_t* last,
                                           int32_t* lower, int32_t* upper, int32_t* stride,
                                           int32_t step, int32_t chunk) {
  divide_in_place(schedule, last, lower, upper, stride, step, chunk);
}

BOBBIN_ENTRY void __kmpc_for_static_init_4u(const Ident*, int32_t, int32_t schedule, int32_t* last,
                                            uint32_t* lower, uint32_t* upper, int32_t* stride,
                                            int32_t step, int32_t chunk) {
  divide_in_place(schedule, last, lower, upper, stride, step, chunk);
}

BOBBIN_ENTRY void __kmpc_for_static_init_8(const Ident*, int32_t, int32_t schedule, int32_t* last,
                                           int64_t* lower, int64_t* upper, int64_t* stride,
                                           int64_t step, int64_t chunk) {
  divide_in_place(schedule, last, lower, upper, stride, step, chunk);
}

BOBBIN_ENTRY void __kmpc_for_static_init_8u(const Ident*, int32_t, int32_t schedule, int32_t* last,
                                            uint64_t* lower, uint64_t* upper, int64_t* stride,
                                            int64_t step, int64_t chunk) {
  divide_in_place(schedule, last, lower, upper, stride, step, chunk);
}

BOBBIN_ENTRY void __kmpc_for_static_fini(const Ident*, int32_t) {}
