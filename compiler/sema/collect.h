// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sema/program.h"

namespace clang {
class ASTUnit;
}

namespace bobbin::translate {

Program collect(clang::ASTUnit& unit);

}  // namespace bobbin::translate
