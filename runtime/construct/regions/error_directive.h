// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The error directive at execution (section 8.5).
namespace bobbin {

enum class Severity { Warning, Fatal };

// The place of a directive in the program. GCC does not tell it; then all are empty.
struct SourceLocation {
  std::string_view file, line, column;
};

// Fatal does not return. An empty message means that the directive has none.
void error_directive(Severity severity, std::string_view message, SourceLocation location = {});

}  // namespace bobbin
