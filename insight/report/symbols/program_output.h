// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bobbin::insight {

// What a program writes to its standard output; its messages are dropped. Nothing: it is not there,
// or it has failed.
std::optional<std::string> output_of(const std::vector<std::string>& command);

}  // namespace bobbin::insight
