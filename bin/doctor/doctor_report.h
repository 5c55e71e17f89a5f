// SPDX-License-Identifier: Apache-2.0
// What `bobbin doctor` prints.
#pragma once

#include <string>

#include "doctor/doctor_scan.h"

namespace bobbin::cli {

enum class SymbolListing { MissingOnly, All };

void print_findings(const std::string& target, const Findings& findings, SymbolListing listing);

}  // namespace bobbin::cli
