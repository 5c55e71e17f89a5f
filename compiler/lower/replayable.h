// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lower/closure.h"

namespace bobbin::translate {

// When a task construct is replayable (OpenMP 6.0, section 14.6): "1", an expression, or "": never.
std::string replayable_if(Translation& translation, const Directive& directive,
                          const Context& context);

// Writes the function that sets the addresses of shared variables in the data of a replayed task
// anew. Returns its name, or "0" if there is nothing to set. The closure has been written.
std::string write_relocation(Translation& translation, const Directive& directive,
                             const Closure& closure, const Context& context);

}  // namespace bobbin::translate
