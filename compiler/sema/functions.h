// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/Decl.h>

#include "sema/extents.h"
#include "sema/program.h"

namespace bobbin::translate {

// What the text says of a function that it defines.
Function read_function(const clang::FunctionDecl& function, const Extents& extents);

}  // namespace bobbin::translate
