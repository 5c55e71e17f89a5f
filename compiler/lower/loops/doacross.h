// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/loops/canonical.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

// The loops of ordered(n), of which the first ones are collapsed.
struct DoacrossNest {
  const std::vector<CanonicalLoop>& loops;
  size_t collapse;
};

// Do doacross dependences bind to the loops of this directive?
bool is_doacross(const Translation& translation, const Construct& construct);
// The numbers of iterations, of which `collapsed` is that of all collapsed loops together.
std::string doacross_counts(const DoacrossNest& nest, const std::string& collapsed);

}  // namespace bobbin::translate
