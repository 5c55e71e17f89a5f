// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// How a transparent task takes part in the order around it, as omp_impex_t of OpenMP 6.0.
enum class Impex : uint8_t { None, Import, Export, Both };

constexpr bool imports(Impex impex) { return (static_cast<unsigned>(impex) & 1) != 0; }
constexpr bool exports(Impex impex) { return (static_cast<unsigned>(impex) & 2) != 0; }

}  // namespace bobbin
