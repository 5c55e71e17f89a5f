// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// fork(): in the child the pool starts afresh with its next region. What the kernel thread that
// forked owns stays good.
void init_pool_fork_lock();

}  // namespace bobbin
