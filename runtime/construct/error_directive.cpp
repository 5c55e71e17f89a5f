// SPDX-License-Identifier: Apache-2.0
#include "construct/error_directive.h"

#include "platform/diagnostics.h"

namespace bobbin {

void error_directive(Severity severity, std::string_view message) {
  const char* between = message.empty() ? "" : ": ";
  auto length = static_cast<int>(message.size());
  if (severity == Severity::Warning) {
    warn("error directive encountered%s%.*s", between, length, message.data());
  } else {
    fatal("fatal error: error directive encountered%s%.*s", between, length, message.data());
  }
}

}  // namespace bobbin
