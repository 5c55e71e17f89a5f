// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "choose/metadirective.h"
#include "choose/selector.h"
#include "lex/source.h"

namespace bobbin::translate {

// `begin declare variant` up to its end: each function that is defined there gets a name of its
// own, and a `declare variant` directive. Without a match nothing is left. `names`: those that have
// been given to functions.
Replaced declare_variants(const Source& source, size_t token, const TranslationContext& context,
                          std::set<std::string>& names);

}  // namespace bobbin::translate
