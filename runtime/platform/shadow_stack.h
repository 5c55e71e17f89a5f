// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// The kernel's answer about the state of the calling thread's shadow stack.
struct ShadowStackStatus {
  long result = -1;       // of the system call; negative if the kernel has no shadow stacks
  uint64_t features = 0;  // the enabled features, as the kernel stored them
};

// Does the processor compare return addresses with copies of its own (x86-64's CET from Linux 6.6
// on, AArch64's GCS from 6.13 on)? The copies belong to the kernel thread. A function that returns
// on another stack than it was called on ends the program.
constexpr bool has_shadow_stack(const ShadowStackStatus& status) {
  constexpr uint64_t kEnabled = 1;  // ARCH_SHSTK_SHSTK, PR_SHADOW_STACK_ENABLE
  return status.result == 0 && (status.features & kEnabled) != 0;
}

ShadowStackStatus shadow_stack_status();

}  // namespace bobbin
