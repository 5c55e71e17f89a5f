// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Says by clauses and other directives what OpenMP's rules say of some directives: which construct
// `loop` is, and that the variables of simd loops keep their last values.
void apply_rules(const Translation& translation, std::vector<Directive>& directives,
                 Diagnostics& diagnostics);

}  // namespace bobbin::translate
