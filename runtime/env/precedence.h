// SPDX-License-Identifier: Apache-2.0
//
// Of several variables that speak of the same, which one counts, and the values that follow from
// other variables.
#pragma once

namespace bobbin {

struct Machine;
struct Settings;

// When all variables have been read.
void settle_precedence(const Machine& machine, Settings& settings);

}  // namespace bobbin
