// SPDX-License-Identifier: Apache-2.0
//
// Decides which variable counts if several have the same subject, and sets the values that follow
// from other variables.
#pragma once

namespace bobbin {

struct Machine;
struct Settings;

// Called when all variables have been read.
void settle_precedence(const Machine& machine, Settings& settings);

}  // namespace bobbin
