// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstring>

#include "abi/export.h"
#include "platform/diagnostics.h"

using namespace bobbin;

namespace {

// length: -1 if the message ends with a zero.
int message_length(const char* message, size_t length) {
  return static_cast<int>(length == static_cast<size_t>(-1) ? strlen(message) : length);
}

}  // namespace

BOBBIN_ENTRY void GOMP_warning(const char* message, size_t length) {
  if (message == nullptr) {
    warn("error directive encountered");
  } else {
    warn("error directive encountered: %.*s", message_length(message, length), message);
  }
}

BOBBIN_ENTRY void GOMP_error(const char* message, size_t length) {
  if (message == nullptr) {
    fatal("fatal error: error directive encountered");
  } else {
    fatal("fatal error: error directive encountered: %.*s", message_length(message, length),
          message);
  }
}
