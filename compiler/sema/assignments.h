// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <vector>

#include "sema/extents.h"
#include "sema/program.h"

namespace bobbin::translate {

// The assignments of which the statement consists: one, or a block of them. Empty: it does not.
std::vector<Assignment> read_assignments(const clang::Stmt& statement, clang::ASTContext& context,
                                         const Extents& extents);

}  // namespace bobbin::translate
