// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/Decl.h>

#include <functional>

#include "sema/extents.h"
#include "sema/program.h"

namespace bobbin::translate {

// What the text says of a function that it defines. variable_of: finds the variable of a
// declaration.
Function read_function(const clang::FunctionDecl& function, const Extents& extents,
                       const std::function<const Variable*(const clang::VarDecl&)>& variable_of);

}  // namespace bobbin::translate
