// SPDX-License-Identifier: Apache-2.0
// Takes from Clang's tree what the translator needs of the probe, as sema/program.h has it.
#pragma once

#include "sema/program.h"

namespace clang {
class ASTUnit;
}

namespace bobbin::translate {

Program collect(clang::ASTUnit& unit);

}  // namespace bobbin::translate
