// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lex/source.h"

namespace bobbin::translate {

// Those of the words of a directive's name that are constructs a context selector can name.
std::vector<std::string> construct_traits(std::string_view name);
// The constructs whose statements contain the token, from the outermost on.
std::vector<std::string> constructs_around(const Source& source, size_t token);
// The clauses of all `requires` directives.
std::vector<std::string> requirements_of(const Source& source);

}  // namespace bobbin::translate
