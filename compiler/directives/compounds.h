// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "directives/table.h"

namespace bobbin::translate {

// The table with the combined and composite directives (OpenMP 5.2, section 17.3) that consist of
// its directives. They take the clauses of their constructs.
const std::vector<DirectiveRow>& directives();

// The name of a construct's own directive.
std::string_view name_of(Leaf leaf);
// Does the directive consist of that construct, or of others and it?
bool has_part(const DirectiveRow& directive, std::string_view name);

// Does the construct itself take the clause?
bool permits(Leaf leaf, ClauseKind kind);

}  // namespace bobbin::translate
