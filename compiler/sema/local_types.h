// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/Decl.h>

#include "sema/extents.h"
#include "sema/program.h"

namespace bobbin::translate {

// What is known of a type that is declared in a function.
LocalType describe_local_type(const clang::TypeDecl& canonical, const Extents& extents);

}  // namespace bobbin::translate
