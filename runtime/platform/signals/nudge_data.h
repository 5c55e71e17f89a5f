// SPDX-License-Identifier: Apache-2.0
// What the sender of a nudge knows about the system call that the nudge is about to interrupt. A
// handler sees an interrupted call's result, but no longer its number, nor on AArch64 its first
// argument. So the sender sends these along. The handler compares the rest, because the thread may
// have gone on to another call since the sender looked.
#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/hash.h"
#include "platform/signals/blocked_call.h"

namespace bobbin {

// The kernel copies these two words of a queued signal, and has no use for them.
struct NudgeData {
  uint64_t first_argument = 0;
  uint64_t rest = 0;  // a hash of all else, see hash_of_rest(); 0: the sender knows of no call
};

// `call` without the number and the first argument.
inline uint64_t hash_of_rest(const BlockedCall& call) {
  uint64_t hash = mixed_hash(call.waits + 1);
  hash = mixed_hash(hash + call.pc);
  hash = mixed_hash(hash + call.sp);
  for (unsigned i = 1; i < BlockedCall::kArguments; i++) {
    hash = mixed_hash(hash + call.arguments[i]);
  }
  return hash | 1;
}

inline constexpr size_t kNudgeDataAt = offsetof(siginfo_t, si_value) + sizeof(sigval);
static_assert(kNudgeDataAt + sizeof(NudgeData) == 48, "the kernel copies 48 bytes");

inline void put_nudge_data(siginfo_t& info, const BlockedCall& call) {
  const NudgeData data{call.arguments[0], hash_of_rest(call)};
  info.si_errno = call.number;
  memcpy(reinterpret_cast<char*>(&info) + kNudgeDataAt, &data, sizeof data);
}

inline NudgeData nudge_data(const siginfo_t& info) {
  NudgeData data;
  memcpy(&data, reinterpret_cast<const char*>(&info) + kNudgeDataAt, sizeof data);
  return data;
}

}  // namespace bobbin
