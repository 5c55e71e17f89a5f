// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Finds what `declare variant` declares. Calls of functions with variants become calls of those
// that match at their places. features: those of the processor that the compiler may use, such as
// avx2.
void find_variants(Translation& translation, const std::vector<std::string>& features,
                   Diagnostics& diagnostics);

}  // namespace bobbin::translate
