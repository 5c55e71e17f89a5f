// SPDX-License-Identifier: Apache-2.0
// Directives that choose other directives or functions are replaced in the text by what they
// choose: metadirective, begin metadirective, begin declare variant; and attributes by pragmas. A
// choice that is made when the program runs becomes an `if`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/render.h"

namespace bobbin::translate {

// features: those of the processor that the compiler may use, such as avx2. Nothing: errors have
// been printed.
std::optional<std::string> expand(std::string text, const std::vector<std::string>& features,
                                  Colours colours);

}  // namespace bobbin::translate
