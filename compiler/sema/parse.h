// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lex/diagnostics.h"
#include "lex/source.h"
#include "sema/probe.h"
#include "sema/program.h"

namespace bobbin::translate {

// Checks the source as Clang compiles it with OpenMP, except for what Clang does not know.
// `options`: those of the user's that choose the language (-std=...).
void check_openmp(const Source& source, const std::vector<Directive>& directives,
                  const std::vector<std::string>& options, Diagnostics& diagnostics);

// Parses the probe. What is returned is of use if there are no errors.
Program parse_probe(const Probe& probe, const std::vector<std::string>& options,
                    Diagnostics& diagnostics);

}  // namespace bobbin::translate
