// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lower/iteration.h"
#include "lower/translation.h"

namespace bobbin::translate {

// The loops of a construct with reduction(inscan, ...), whose bodies a scan directive divides.
std::string lower_scan(Translation& translation, const Construct& construct, Iterations& iterations,
                       const Context& context);

}  // namespace bobbin::translate
