// SPDX-License-Identifier: Apache-2.0
// Prints errors as Clang prints its own. Knows of Clang only what does that.
#pragma once

#include "lex/diagnostics.h"
#include "lex/source.h"

namespace bobbin::translate {

enum class Colours : unsigned char { Terminal, Always, Never };

// To stderr, in the order of the source.
void render(const Source& source, const Diagnostics& diagnostics, Colours colours);

}  // namespace bobbin::translate
