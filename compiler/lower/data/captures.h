// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Variables of the surrounding function that a construct's statement, or a clause of its inner
// constructs, names. In the order of their declarations.
std::vector<const Variable*> captured_by(const Translation& translation, const Construct& construct,
                                         const Context& context);

// What the iterations of a construct's loops evaluate: the body and the bounds that depend on outer
// loops. The other bounds are evaluated before. Without loops: the statement.
std::vector<Extent> executed_parts(const Translation& translation, const Construct& construct);

// A variable that an inner construct makes private in its statement.
struct PrivateInside {
  Extent extent;
  const Variable* variable;
};
std::vector<PrivateInside> private_inside(const Translation& translation,
                                          const Construct& construct);

// Variables that a construct which stays in the same function declares anew in a block, with a
// pointer to the original beside it.
std::set<const Variable*> declared_anew(const Translation& translation, const Construct& construct);

// What the pointer to the original is called.
inline std::string original_of(const Names& names, const Variable& variable) {
  return names.free(variable.name + "_original");
}

}  // namespace bobbin::translate
