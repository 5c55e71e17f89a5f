// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "directives/directive.h"
#include "lex/diagnostics.h"
#include "sema/program.h"

namespace bobbin::translate {

// Notes in the directives what their clauses `collapse` and `ordered` say.
void read_depths(const Program& program, std::vector<Directive>& directives,
                 Diagnostics& diagnostics);

}  // namespace bobbin::translate
