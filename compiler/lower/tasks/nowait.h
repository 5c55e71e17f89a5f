// SPDX-License-Identifier: Apache-2.0
// nowait, whose argument says whether it counts (OpenMP 6.0, section 17.6).
#pragma once

#include <string>

#include "lower/translation/constructs.h"

namespace bobbin::translate {

// Does the directive have the clause? A C expression, with 0 and 1 where that is certain.
std::string nowait_of(Translation& translation, const Directive& directive, const Context& context);

// The text of a construct without its barrier. If nowait has an argument, a barrier follows that is
// executed where the argument is false. The argument is evaluated before the construct.
std::string wait_by_argument(Translation& translation, const Construct& construct,
                             const Context& context, const std::string& text);

}  // namespace bobbin::translate
