// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lower/data/linear.h"
#include "lower/loops/iteration.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

// The loops of a construct with reduction(inscan, ...), whose bodies a scan directive divides. All
// threads of a team execute them together. linears: the construct's variables of induction clauses.
std::string lower_scan(Translation& translation, const Construct& construct, Iterations& iterations,
                       const Context& context, const LinearVariables& linears);

// The iterations [first, last), which one thread executes in their order.
std::string lower_serial_scan(Translation& translation, const Construct& construct,
                              Iterations& iterations, const Context& context,
                              const LinearVariables& linears, const std::string& first,
                              const std::string& last);

}  // namespace bobbin::translate
