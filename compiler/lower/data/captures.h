// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace bobbin::translate
