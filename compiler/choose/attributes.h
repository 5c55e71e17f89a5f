// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lex/source.h"

namespace bobbin::translate {

// The text with pragmas in place of [[omp::directive(...)]] and [[omp::sequence(...)]]. A Refusal
// is thrown at what is neither.
std::string pragmas_for_attributes(const Source& source);

}  // namespace bobbin::translate
