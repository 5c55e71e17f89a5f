// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The error directive at execution (section 8.5).
namespace bobbin {

enum class Severity { Warning, Fatal };

// Fatal does not return. An empty message: the directive has none.
void error_directive(Severity severity, std::string_view message);

}  // namespace bobbin
