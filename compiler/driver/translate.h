// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "print/markers.h"
#include "render/render.h"

namespace bobbin::translate {

// Preprocessed C with OpenMP directives to C without. `language`: the options that choose it.
// `features`: those of the processor that the compiler may use. Nothing: errors have been printed.
std::optional<std::string> translate(const std::string& preprocessed,
                                     const std::vector<std::string>& language,
                                     const std::vector<std::string>& features,
                                     Markers markers = Markers::Some,
                                     Colours colours = Colours::Terminal);

}  // namespace bobbin::translate
