// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <functional>

#include "sema/extents.h"
#include "sema/program.h"

namespace bobbin::translate {

// Finds the variable of a declaration.
using VariableOf = std::function<const Variable*(const clang::VarDecl&)>;

// Reads the canonical loops (section 6.4.1) of a nest into the site, or those of a block.
// number_of: that of the directive whose probe an expression is, or -1.
using NumberOf = std::function<int(const clang::Expr*)>;
void read_loops(const clang::Stmt& statement, const Extents& extents, const VariableOf& variable_of,
                const NumberOf& number_of, Site& site);

}  // namespace bobbin::translate
