// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bobbin::cli {

// "; did you mean WORD?" with the most similar of the words, or nothing if none is similar.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);

}  // namespace bobbin::cli
