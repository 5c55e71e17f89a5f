// SPDX-License-Identifier: Apache-2.0
// Resumable tasks (include/bobbin/native.h). Their functions stand beside the ordinary ones.
#pragma once

#include <string>

#include "lower/resumable/scope.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

class Closure;

// Is the construct one of a task that becomes resumable? closure: of its ordinary function, for
// which all variables have been captured.
bool is_resumable_task(const Translation& translation, const Construct& construct,
                       const Closure& closure);
// Writes the task's resumable function in front of the user's function.
void write_resumable_task(Translation& translation, const Construct& construct,
                          const Closure& closure);
// At the place of the construct.
std::string call_resumable_task(const Translation& translation, const Construct& construct,
                                const Context& context, const Closure& closure,
                                const std::string& flags);

}  // namespace bobbin::translate
