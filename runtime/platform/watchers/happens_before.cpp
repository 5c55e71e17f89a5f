// SPDX-License-Identifier: Apache-2.0
#include "platform/watchers/happens_before.h"

#include "platform/atomic.h"

namespace bobbin {

#if !defined(BOBBIN_MODEL) && !defined(__SANITIZE_THREAD__)
alignas(kCacheLine) constinit RaceDetector race_detector{};
#endif

}  // namespace bobbin
