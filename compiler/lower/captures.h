// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lower/translation.h"

namespace bobbin::translate {

// Variables of the surrounding function that a construct's statement, or a clause of its inner
// constructs, names. In the order of their declarations.
std::vector<const Variable*> captured_by(const Translation& translation, const Construct& construct,
                                         const Context& context);

// A variable that an inner construct makes private in its statement.
struct PrivateInside {
  Extent extent;
  const Variable* variable;
};
std::vector<PrivateInside> private_inside(const Translation& translation,
                                          const Construct& construct);

}  // namespace bobbin::translate
