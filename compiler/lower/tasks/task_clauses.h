// SPDX-License-Identifier: Apache-2.0
// Clauses of a task that say when it may begin, and in which threads.
#pragma once

#include <string>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Before and after a task construct. The runtime applies `transparent` to the next task that
// depends on others, or is undeferred.
std::string begin_transparent(Translation& translation, const Directive& directive,
                              const Context& context);
std::string end_transparent(const Directive& directive);

// threadset(omp_pool): free agents may execute the task.
bool is_for_pool(const Directive& directive);

}  // namespace bobbin::translate
