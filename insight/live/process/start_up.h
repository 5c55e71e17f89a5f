// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace bobbin::insight {

// Waits while the loader is still at work in a process that has mapped Bobbin. False: it takes
// longer.
bool wait_until_loaded(int process, std::chrono::seconds patience);

}  // namespace bobbin::insight
