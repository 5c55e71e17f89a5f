// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Finds the C library's own definitions of what abi/interpose.cpp defines, once, at start-up: the
// loader's lock, which a search takes, may later be held by a thread that waits for a worker (a
// region in the constructor of a library being loaded).
void init_interposed();

}  // namespace bobbin
