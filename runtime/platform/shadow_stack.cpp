// SPDX-License-Identifier: Apache-2.0
#include "platform/shadow_stack.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/keep_errno.h"

namespace bobbin {

ShadowStackStatus shadow_stack_status() {
  ShadowStackStatus status;
  const KeepErrno keep_errno;
#if defined(__x86_64__)
  constexpr int kGetStatus = 0x5005;  // ARCH_SHSTK_STATUS
  status.result = syscall(SYS_arch_prctl, kGetStatus, &status.features);
#else
  constexpr int kGetStatus = 74;  // PR_GET_SHADOW_STACK_STATUS
  status.result = prctl(kGetStatus, &status.features, 0, 0, 0);
#endif
  return status;
}

}  // namespace bobbin
