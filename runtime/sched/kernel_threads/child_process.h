// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// fork(): in the child the pool starts afresh with its next region. What belongs to the kernel
// thread that forked stays valid.
void init_pool_fork_lock();

}  // namespace bobbin
