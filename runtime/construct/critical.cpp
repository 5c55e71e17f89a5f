// SPDX-License-Identifier: Apache-2.0
#include "construct/critical.h"

namespace bobbin {

alignas(kCacheLine) constinit Lock unnamed_critical;
alignas(kCacheLine) constinit Lock atomic_fallback;

}  // namespace bobbin
