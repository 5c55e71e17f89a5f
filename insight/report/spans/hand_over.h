// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin::insight {

// What it takes on this machine, in seconds, until another thread that looks for work has what this
// one has made: the median time for a word to go to another kernel thread. It takes milliseconds.
double measured_hand_over();

}  // namespace bobbin::insight
