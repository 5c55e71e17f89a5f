// SPDX-License-Identifier: Apache-2.0
// Where task_iteration stands (OpenMP 6.0, section 14.2.3): it tells what the iterations of a
// taskloop depend on.
#pragma once

#include <vector>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Those at the beginning of the loop's body, which concern the taskloop.
std::vector<const Directive*> task_iterations_of(const Translation& translation,
                                                 const Construct& taskloop);

// Refuses one that concerns no taskloop.
void check_task_iteration(const Translation& translation, const Directive& directive);

}  // namespace bobbin::translate
