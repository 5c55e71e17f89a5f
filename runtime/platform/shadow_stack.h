// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// What the kernel answers when it is asked for the state of the calling thread's shadow stack.
struct ShadowStackStatus {
  long result = -1;       // of the system call; negative where the kernel knows of no such thing
  uint64_t features = 0;  // that are on, as it stored them
};

// Does the processor compare return addresses with copies of its own (x86-64's CET from Linux 6.6
// on, AArch64's GCS from 6.13 on)? Those are the kernel thread's: a `ret` on another stack than the
// one that was called on ends the program.
constexpr bool has_shadow_stack(const ShadowStackStatus& status) {
  constexpr uint64_t kEnabled = 1;  // ARCH_SHSTK_SHSTK, PR_SHADOW_STACK_ENABLE
  return status.result == 0 && (status.features & kEnabled) != 0;
}

ShadowStackStatus shadow_stack_status();

}  // namespace bobbin
