// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "directives/table.h"

namespace bobbin::translate {

// "; did you mean 'WORD'?" with the most similar word; empty: none is similar.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& words);

// The same for what stands where a name of a directive, or a clause of `directive`, is expected.
std::string did_you_mean_directive(std::string_view name);
std::string did_you_mean_clause(std::string_view name, const DirectiveRow& directive);

// Does no version of OpenMP that LLVM knows permit the clause there?
bool is_misplaced(const ClauseRow& clause, const DirectiveRow& directive);

}  // namespace bobbin::translate
