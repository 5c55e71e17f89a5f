// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Starts the tool, if there is one. Called once, before the first OpenMP construct. True: it is
// active until the program ends, or until it asks to be finalized.
bool start_watching();

}  // namespace bobbin
