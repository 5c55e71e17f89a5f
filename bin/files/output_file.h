// SPDX-License-Identifier: Apache-2.0
// The files that the user names for reports.
#pragma once

#include <string>

namespace bobbin::cli {

// Why it should not be written, to be told before a program starts; empty: it can be written, or it
// has no name.
std::string output_problem(const std::string& path);

// False: it could not be written, and stderr has the reason.
bool write_file(const std::string& path, const std::string& text);

// Says what errno tells. Returns false.
bool cannot_write(const std::string& path);

}  // namespace bobbin::cli
