// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "env/settings.h"

// OMP_THREADS_RESERVE: which threads of a contention group are for free agents.
namespace bobbin {

Parsed parse_threads_reserve(std::string_view text, Settings& settings);
void print_threads_reserve(const Settings& settings, TextOut& out);

// Once the thread limit is known: the two limits that follow from it (OpenMP 6.0, algorithm 4.1).
// False: the limit leaves no room for what is reserved, so nothing is.
bool settle_threads_reserve(GlobalIcvs& icvs);

}  // namespace bobbin
