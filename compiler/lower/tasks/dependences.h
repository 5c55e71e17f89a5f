// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// The depend clauses of a construct as an array of bobbin_omp_dependence.
struct Dependences {
  std::string declaration;  // empty: there is no clause
  std::string number;       // of the array's elements
};

Dependences dependences_of(Translation& translation, const Directive& directive,
                           const Context& context, const std::string& name);

// Statements that add them to a bobbin_omp_dependence_list. Empty: there is no clause.
std::string add_dependences(Translation& translation, const Directive& directive,
                            const Context& context, const std::string& list);

// Declares them and waits for them. With `nowait` an empty task waits instead, and others may
// depend on it. Empty: there is no clause.
std::string wait_for_dependences(Translation& translation, const Directive& directive,
                                 const Context& context, const std::string& nowait);

}  // namespace bobbin::translate
