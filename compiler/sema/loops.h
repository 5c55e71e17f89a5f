// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <functional>
#include <optional>

#include "sema/extents.h"
#include "sema/program.h"

namespace bobbin::translate {

// Finds the variable of a declaration.
using VariableOf = std::function<const Variable*(const clang::VarDecl&)>;

// Reads the canonical loops (section 6.4.1) of a nest into the site, or those of a block.
// number_of: that of the directive whose probe an expression is, or -1.
using NumberOf = std::function<int(const clang::Expr*)>;
void read_loops(const clang::Stmt& statement, const clang::ASTContext& context,
                const Extents& extents, const VariableOf& variable_of, const NumberOf& number_of,
                Site& site);

// Of an integer expression; nothing: it is no constant, or does not fit.
std::optional<long long> constant_value(const clang::Expr& expression,
                                        const clang::ASTContext& context);

}  // namespace bobbin::translate
