// SPDX-License-Identifier: Apache-2.0
// How the reports write numbers.
#pragma once

#include <cstdint>
#include <string>

namespace bobbin::insight {

// Appends.
[[gnu::format(printf, 2, 3)]] void print(std::string& out, const char* format, ...);

// 12345678 -> 12,345,678
std::string grouped(uint64_t number);

// With three digits that count.
std::string time_text(double seconds);

double percent(double part, double whole);

}  // namespace bobbin::insight
