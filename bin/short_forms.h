// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace bobbin::cli {

// The file that `bobbin trace PROGRAM` writes.
inline constexpr const char* kDefaultTrace = "trace.json";

// `bobbin span`, `trace` and `profile` with a program are short for `bobbin run` with the option of
// that name. Returns the words that they stand for; other words as they are. `target` is the first
// word that is no option: `bobbin profile DIR` reports on recordings.
std::vector<std::string> in_full(const std::vector<std::string>& words, const std::string& target);

}  // namespace bobbin::cli
