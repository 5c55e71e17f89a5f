// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string_view>

#include "abi/call_site.h"
#include "abi/export.h"
#include "construct/regions/error_directive.h"

using namespace bobbin;

namespace {

// length: -1 if the message ends with a zero.
std::string_view as_message(const char* message, size_t length) {
  if (message == nullptr) return {};
  return length == static_cast<size_t>(-1) ? message : std::string_view(message, length);
}

}  // namespace

BOBBIN_ENTRY void GOMP_warning(const char* message, size_t length) {
  BOBBIN_CALL_SITE;
  error_directive(Severity::Warning, as_message(message, length));
}

BOBBIN_ENTRY void GOMP_error(const char* message, size_t length) {
  BOBBIN_CALL_SITE;
  error_directive(Severity::Fatal, as_message(message, length));
}
