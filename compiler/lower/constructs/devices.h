// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// The device of a construct, as native.h has it, by the clauses device and if.
std::string device_of(Translation& translation, const Directive& directive, const Context& context);

// Does declare target stand for the variable (section 7.8), so that all devices have it?
bool is_declared_for_devices(const Translation& translation, const Variable& variable);

}  // namespace bobbin::translate
