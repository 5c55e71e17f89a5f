// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "directives/directive.h"
#include "lex/diagnostics.h"
#include "lex/source.h"

namespace bobbin::translate {

// Reads all directives of OpenMP in the text. What cannot be read or is not translated is an error.
std::vector<Directive> read_directives(const Source& source, Diagnostics& diagnostics);

}  // namespace bobbin::translate
