// SPDX-License-Identifier: Apache-2.0
// Names of this program that are commands of one word, for build systems that take no more:
// bobbin-cc is `bobbin cc`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bobbin::cli {

// The words that the name under which the program was called stands for; most often none.
std::vector<std::string> words_of_name(std::string_view called);

}  // namespace bobbin::cli
