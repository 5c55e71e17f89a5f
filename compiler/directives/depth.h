// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "directives/directive.h"
#include "lex/diagnostics.h"
#include "lex/source.h"

namespace bobbin::translate {

// Refuses directives of which each one is the statement of the one before, as soon as they are more
// than Clang takes of brackets. Its time is cubic in their number.
void check_depth(const Source& source, const std::vector<Directive>& directives,
                 Diagnostics& diagnostics);

}  // namespace bobbin::translate
