// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace bobbin::cli {

// gcc inlines a function only into code for the same processor: with the same -march and its like.
// Objects with LTO's data have all such options in them.

// The options of one object, in their order.
using LtoTarget = std::vector<std::string>;

// The different ones of an object, or of the objects in an archive. Empty: there are none, or the
// file is neither.
std::set<LtoTarget> lto_targets_in(const std::filesystem::path& file);

}  // namespace bobbin::cli
