// SPDX-License-Identifier: Apache-2.0
// The clause ompx_task_schedule, Bobbin's own: how the tasks of a region are created, queued and
// taken (include/bobbin/bobbin.h).
#pragma once

#include <string>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Of a parallel construct: the expression of `policy: text`; "": there is no such clause.
std::string task_policy(Translation& translation, const Directive& directive,
                        const Context& context);

// Of a taskgroup construct: the statement that begins the schedule, or "".
std::string begin_task_schedule(Translation& translation, const Directive& directive,
                                const Context& context);

}  // namespace bobbin::translate
