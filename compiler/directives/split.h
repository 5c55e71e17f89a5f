// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "directives/directive.h"
#include "lex/diagnostics.h"
#include "lex/source.h"

namespace bobbin::translate {

// Divides the clauses of compound directives among the constructs of which they consist, as OpenMP
// 5.2 says it in section 17.2. Afterwards each construct is lowered as if it stood alone.
void split_clauses(const Source& source, std::vector<Directive>& directives,
                   Diagnostics& diagnostics);

}  // namespace bobbin::translate
