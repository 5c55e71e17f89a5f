// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/microtask.h"

#include <cstddef>
#include <utility>

#include "abi/kmp/ident.h"
#include "platform/diagnostics.h"
#include "team/members/tool_events.h"
#include "team/model/team.h"

namespace bobbin::kmp {
namespace {

template <size_t>
using Argument = void*;

template <size_t... I>
void call(const MicrotaskCall& call, int32_t* global_num, int32_t* num, std::index_sequence<I...>) {
  using Function = void (*)(int32_t*, int32_t*, Argument<I>...);
  reinterpret_cast<Function>(call.function)(global_num, num, call.arguments()[I]...);
}

// In the C calling conventions of all processors the caller puts arguments where the callee looks
// for those that it has, and removes them again. So additional arguments do no harm, and callers
// for a few numbers of arguments serve all.
template <unsigned kRoom>
void call_with(void* data) {
  Thread& thread = self();
  int32_t global_num = global_thread_num(thread);
  auto num = static_cast<int32_t>(thread.member->num);
  if (thread.member->team->watched) [[unlikely]]
    set_exit_frame(thread, __builtin_frame_address(0));
  call(*static_cast<const MicrotaskCall*>(data), &global_num, &num,
       std::make_index_sequence<kRoom>());
}

struct Caller {
  unsigned room;
  RegionFunction function;
};

constexpr Caller kCallers[] = {
    {4, call_with<4>}, {12, call_with<12>}, {60, call_with<60>}, {1020, call_with<1020>}};

const Caller& caller_for(unsigned count) {
  for (const Caller& caller : kCallers) {
    if (count <= caller.room) return caller;
  }
  fatal("a region with %u shared variables: more than 1020 cannot be passed", count);
}

}  // namespace

size_t call_bytes(unsigned count) {
  size_t bytes = sizeof(MicrotaskCall) + caller_for(count).room * sizeof(void*);
  return round_up(bytes, kCacheLine) + kCacheLine - 1;
}

RegionFunction microtask_caller(unsigned count) { return caller_for(count).function; }

}  // namespace bobbin::kmp
