// SPDX-License-Identifier: Apache-2.0
// Changes to C with OpenMP directives after which it often still is that: random bytes would be
// refused by Clang and never reach the lowering.
#pragma once

#include <functional>
#include <string>

namespace bobbin::fuzz {

// with_noise: changes a text at random.
std::string mutate(const std::string& text, unsigned seed,
                   const std::function<std::string(std::string)>& with_noise);

// The first text with a directive, a clause or a statement of the second one.
std::string cross(const std::string& first, const std::string& second, unsigned seed);

}  // namespace bobbin::fuzz
