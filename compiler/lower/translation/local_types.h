// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Types of the function's own that an outlined function names are moved in front of the function,
// under names of the file's. Returns their declarations.
std::string move_local_types(Translation& translation, const Function& function);

}  // namespace bobbin::translate
