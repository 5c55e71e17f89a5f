// SPDX-License-Identifier: Apache-2.0
#include "platform/signals/failed_call.h"

#include <sys/syscall.h>
#include <time.h>

#include <cstring>

#include "platform/signals/nudge_data.h"
#include "platform/signals/passed_call.h"

namespace bobbin {
namespace {

BlockedCall read_registers(const Interrupted& at) {
  BlockedCall call = {};
  for (unsigned i = 0; i < BlockedCall::kArguments; i++) call.arguments[i] = at.argument(i);
  call.sp = reinterpret_cast<uint64_t>(at.sp());
  call.pc = at.pc();
  call.waits = waits_of_caller();
  return call;
}

bool sent_along(const siginfo_t& info, BlockedCall& call) {
  const NudgeData data = nudge_data(info);
  if (data.rest == 0 || data.rest != hash_of_rest(call)) return false;
  call.number = info.si_errno;
  call.arguments[0] = data.first_argument;
  // So the kernel has restarted the call once, and forgets how when a handler returns.
  return call.number != SYS_restart_syscall;
}

bool was_passed(BlockedCall& call) {
  constexpr uint64_t kMostCode = 64;  // of that function
  if (call.pc - passing_function > kMostCode) return false;
  call.number = passed_call.number;
  call.arguments[0] = passed_call.first_argument;
  return call.number >= 0;
}

// mov $number,%eax; syscall. With the prefix REX.B it would be another register.
bool decode(BlockedCall& call) {
#if defined(__x86_64__)
  const auto* code = reinterpret_cast<const unsigned char*>(call.pc - 8);
  if (code[1] != 0xb8 || (code[0] & 0xf1) == 0x41) return false;
  memcpy(&call.number, code + 2, sizeof call.number);
  return true;
#else
  static_cast<void>(call);  // the first argument would be lost
  return false;
#endif
}

}  // namespace

bool find_failed_call(const Interrupted& at, const siginfo_t& info, BlockedCall& call) {
  if (!at.behind_failed_call()) return false;
  call = read_registers(at);
  if (!sent_along(info, call) && !was_passed(call) && !decode(call)) return false;
  return call.number != SYS_close;  // the descriptor is closed, and may be another file's by now
}

void start_again(const BlockedCall& call, Interrupted& at) {
  at.set_argument(0, call.arguments[0]);
  if (call.number == SYS_nanosleep && call.arguments[1] != 0) {
    at.set_argument(0, call.arguments[1]);
  } else if (call.number == SYS_clock_nanosleep && (call.arguments[1] & TIMER_ABSTIME) == 0 &&
             call.arguments[3] != 0) {
    at.set_argument(2, call.arguments[3]);
  }
  at.call_again(call.number);
}

}  // namespace bobbin
