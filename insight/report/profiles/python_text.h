// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "insight/report/profiles/profile.h"

namespace bobbin::insight {

// Appends the table of the lines of a Python program: for each of the program's own where it led
// to.
void print_python(std::string& out, const std::vector<PythonFigures>& figures);

}  // namespace bobbin::insight
