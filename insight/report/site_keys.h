// SPDX-License-Identifier: Apache-2.0
// What the keys of sites (record/layout.h) say.
#pragma once

#include <cstdint>
#include <string_view>

#include "insight/record/layout.h"
#include "insight/report/symbols/symbols.h"

namespace bobbin::insight {

SiteKind kind_of(uint64_t key);
CodeAddress code_of(const FixedPart& part, uint64_t key);

// As reports call it.
std::string_view name_of(SiteKind kind);

}  // namespace bobbin::insight
